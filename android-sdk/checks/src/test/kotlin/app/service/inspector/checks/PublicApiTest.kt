package app.service.inspector.checks

import kotlinx.validation.api.dump
import kotlinx.validation.api.filterOutNonPublic
import kotlinx.validation.api.loadApiFromJvmClasses
import org.junit.Assert.assertEquals
import org.junit.Test
import java.io.File

/** The public API is what `api/` says; run the build with `-Dapi.update=true` to change that. */
internal class PublicApiTest {
    @Test
    fun devHasTheApiOfItsDump() = compare("dev")

    @Test
    fun prodHasTheApiOfItsDump() = compare("prod")

    @Test
    fun devAndProdHaveTheSameApi() = assertEquals("The public API of dev is not that of prod.", apiOf("prod"), apiOf("dev"))

    @Test
    fun onlyThePackageOfTheLibraryIsPublic() {
        val packages = Regex("class (\\S+)/[^/\\s]+ ").findAll(apiOf("dev")).map { it.groupValues[1] }.toSet()
        assertEquals(setOf("app/service/inspector"), packages)
    }

    private fun compare(variant: String) {
        val dump = File(System.getProperty("api.dumps"), "$variant.api")
        val api = apiOf(variant)
        if (System.getProperty("api.update").toBoolean()) dump.writeText(api)
        assertEquals(
            "The public API of $variant is not that of android-sdk/api/${dump.name}; build with -Dapi.update=true if that is meant.",
            dump.readText(),
            api,
        )
    }

    private fun apiOf(variant: String): String {
        val classes = Build.classesOf(variant).asSequence().map { it.inputStream() }
        return classes
            .loadApiFromJvmClasses()
            .filterOutNonPublic()
            .dump(StringBuilder())
            .toString()
    }
}
