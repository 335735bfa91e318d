package branchline.inspector.support

import java.io.Closeable
import java.io.File

/** A JVM of its own that runs [DeliveryChild]. */
internal class ChildProcess(
    folder: File,
    endpoint: String,
    batchSize: Int = 1_000,
) : Closeable {
    private val process =
        ProcessBuilder(
            File(System.getProperty("java.home"), "bin/java").path,
            "-Xmx64m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            DeliveryChild::class.java.name,
            folder.path,
            endpoint,
            batchSize.toString(),
        ).redirectError(ProcessBuilder.Redirect.INHERIT).start()
    private val output = process.inputStream.bufferedReader()
    private val input = process.outputStream.bufferedWriter()

    init {
        check(output.readLine() == "ready") { "The child did not start." }
    }

    /** Tracks events, and answers with their ids as soon as the library has taken them. */
    fun track(count: Int): List<String> {
        input.write("$count\n")
        input.flush()
        return output.readLine().split(' ')
    }

    /** Kills it at once, as the system kills an app. */
    fun kill() {
        process.destroyForcibly().waitFor()
    }

    override fun close() = kill()
}
