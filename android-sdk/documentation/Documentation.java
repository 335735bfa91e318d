import java.nio.file.Files;
import java.nio.file.Path;
import kotlin.Unit;
import org.jetbrains.dokka.ConfigurationJsonUtilsKt;
import org.jetbrains.dokka.DokkaGenerator;
import org.jetbrains.dokka.utilities.DokkaConsoleLogger;
import org.jetbrains.dokka.utilities.LoggingLevel;

/** Runs Dokka with a configuration in JSON. Its own command line is not published for this version. */
final class Documentation {
    public static void main(String[] arguments) throws Exception {
        var configuration = ConfigurationJsonUtilsKt.DokkaConfigurationImpl(Files.readString(Path.of(arguments[0])));
        var logger = new DokkaConsoleLogger(LoggingLevel.WARN, message -> {
            System.err.println(message);
            return Unit.INSTANCE;
        });
        new DokkaGenerator(configuration, logger).generate();
    }
}
