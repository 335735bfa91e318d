package app.service.inspector.checks

import org.codehaus.mojo.animal_sniffer.SignatureChecker
import org.codehaus.mojo.animal_sniffer.logging.Logger
import org.junit.Assert.assertEquals
import org.junit.Test
import java.io.File

/**
 * The library runs on API level 21: it calls nothing of Java or Android that came later, save in what is marked by `@TargetApi`, which
 * is used on later levels only.
 */
internal class ApiLevelTest {
    @Test
    fun devCallsNothingLaterThanLevel21() = assertEquals(emptyList<String>(), laterThan21(Build.classesOf("dev")))

    @Test
    fun prodCallsNothingLaterThanLevel21() = assertEquals(emptyList<String>(), laterThan21(Build.classesOf("prod")))

    @Test
    fun aCallOfJavaThatCameLaterIsSeen() =
        assertEquals(
            listOf(
                "Object java.util.Map.getOrDefault(Object, Object)",
                "java.time.Instant",
                "java.time.Instant java.time.Instant.now()",
            ),
            laterThan21(planted("LaterJava")).sorted(),
        )

    @Test
    fun aCallOfAndroidThatCameLaterIsSeen() =
        assertEquals(
            listOf("int android.app.NotificationChannel.getImportance()", "int android.content.Context.getColor(int)"),
            laterThan21(planted("LaterAndroid")).sorted(),
        )

    @Test
    fun aLaterCallThatIsMarkedIsAllowed() = assertEquals(emptyList<String>(), laterThan21(planted("LaterButMarked")))

    @Test
    fun aCallThatIsThereOnLevel21IsNotSeen() = assertEquals(emptyList<String>(), laterThan21(planted("Level21")))

    private fun planted(name: String) = listOf(File(Build.folder, "checks/test-classes/app/service/inspector/checks/$name.class"))

    private fun laterThan21(classes: List<File>): List<String> {
        val found = mutableListOf<String>()
        val signature = File(System.getProperty("signature")).inputStream()
        val ours = setOf("app.service.inspector.*", "branchline.inspector.*", "kotlin.*", "org.jetbrains.annotations.*")
        val checker = SignatureChecker(signature, ours, Finder(found))
        checker.setSourcePath(emptyList())
        checker.setAnnotationTypes(listOf("android.annotation.TargetApi"))
        classes.forEach { checker.process(it) }
        return found.distinct()
    }

    private class Finder(
        private val found: MutableList<String>,
    ) : Logger {
        override fun error(message: String) {
            found += message.substringAfter("Undefined reference: ")
        }

        override fun error(
            message: String,
            t: Throwable,
        ) = throw t

        override fun info(message: String) = Unit

        override fun info(
            message: String,
            t: Throwable,
        ) = throw t

        override fun debug(message: String) = Unit

        override fun debug(
            message: String,
            t: Throwable,
        ) = throw t

        override fun warn(message: String) = Unit

        override fun warn(
            message: String,
            t: Throwable,
        ) = throw t
    }
}
