package app.service.inspector.checks

import java.io.File

/** What the build has made. */
internal object Build {
    val folder = File(System.getProperty("branchline.build"))

    /** The compiled library of a variant, `dev` or `prod`. */
    fun classesOf(variant: String): List<File> =
        File(folder, "$variant/classes")
            .walk()
            .filter { it.extension == "class" }
            .toList()
            .also { check(it.isNotEmpty()) }
}
