import groovy.json.JsonOutput;
import groovy.json.JsonSlurper;
import java.io.File;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gradle.api.Named;
import org.gradle.api.Project;
import org.gradle.api.artifacts.Configuration;
import org.gradle.api.attributes.Attribute;
import org.gradle.api.attributes.AttributeCompatibilityRule;
import org.gradle.api.attributes.AttributeContainer;
import org.gradle.api.attributes.Category;
import org.gradle.api.attributes.CompatibilityCheckDetails;
import org.gradle.api.attributes.DocsType;
import org.gradle.api.attributes.LibraryElements;
import org.gradle.api.attributes.Usage;
import org.gradle.api.attributes.java.TargetJvmEnvironment;
import org.gradle.testfixtures.ProjectBuilder;

/**
 * Lets Gradle resolve dependencies as the configurations of consumers do, and says what it found. Arguments: a folder to work in, the
 * repository of the release, Maven's local repository for all else, and the consumers as JSON: name, attributes, dependencies and
 * what to prefer where capabilities collide.
 */
final class Resolve {
    private static final Map<String, Class<? extends Named>> GRADLES_OWN = Map.of(
        "org.gradle.category", Category.class,
        "org.gradle.docstype", DocsType.class,
        "org.gradle.jvm.environment", TargetJvmEnvironment.class,
        "org.gradle.libraryelements", LibraryElements.class,
        "org.gradle.usage", Usage.class);

    /** As Kotlin's Gradle plugin has it. */
    static class AndroidTakesJvm implements AttributeCompatibilityRule<String> {
        @Override
        public void execute(CompatibilityCheckDetails<String> details) {
            if ("androidJvm".equals(details.getConsumerValue()) && "jvm".equals(details.getProducerValue())) details.compatible();
        }
    }

    private final Project project;

    private Resolve(File folder, File release, File local) {
        File home = new File(folder, "home");
        project = ProjectBuilder.builder().withProjectDir(folder).withGradleUserHomeDir(home).build();
        project.getPluginManager().apply("java-base");
        project.getDependencies().getAttributesSchema().attribute(
            Attribute.of("org.jetbrains.kotlin.platform.type", String.class),
            it -> it.getCompatibilityRules().add(AndroidTakesJvm.class));
        project.getRepositories().maven(repository -> repository.setUrl(release.toURI()));
        project.getRepositories().maven(repository -> repository.setUrl(local.toURI()));
    }

    public static void main(String[] arguments) {
        Resolve resolve = new Resolve(new File(arguments[0]), new File(arguments[1]), new File(arguments[2]));
        Map<String, Object> results = new LinkedHashMap<>();
        for (Object each : (List<?>) new JsonSlurper().parseText(arguments[3])) {
            Map<?, ?> consumer = (Map<?, ?>) each;
            results.put((String) consumer.get("name"), resolve.resolve(consumer));
        }
        System.out.println("RESULT " + JsonOutput.toJson(results));
        // Gradle leaves threads behind.
        System.exit(0);
    }

    private Object resolve(Map<?, ?> consumer) {
        Configuration configuration = project.getConfigurations().create((String) consumer.get("name"));
        configuration.setCanBeConsumed(false);
        ((Map<?, ?>) consumer.get("attributes")).forEach((name, value) ->
            require(configuration.getAttributes(), (String) name, (String) value));
        ((List<?>) consumer.get("dependencies")).forEach(it -> project.getDependencies().add(configuration.getName(), it));
        if (consumer.get("prefer") instanceof Map<?, ?> preferred) prefer(configuration, preferred);
        try {
            List<String> files = new ArrayList<>();
            configuration.getIncoming().getArtifacts().forEach(it -> files.add(it.getFile().getName()));
            return Map.of("files", files);
        } catch (RuntimeException fault) {
            StringBuilder said = new StringBuilder();
            for (Throwable cause = fault; cause != null; cause = cause.getCause()) said.append(cause.getMessage()).append('\n');
            return Map.of("error", said.toString());
        }
    }

    private static void prefer(Configuration configuration, Map<?, ?> preferred) {
        preferred.forEach((capability, module) ->
            configuration.getResolutionStrategy().capabilitiesResolution(resolution ->
                resolution.withCapability((String) capability, details -> details.select(module))));
    }

    private void require(AttributeContainer attributes, String name, String value) {
        Class<? extends Named> type = GRADLES_OWN.get(name);
        if (type == null) attributes.attribute(Attribute.of(name, String.class), value);
        else requireNamed(attributes, name, type, value);
    }

    private <T extends Named> void requireNamed(AttributeContainer attributes, String name, Class<T> type, String value) {
        attributes.attribute(Attribute.of(name, type), project.getObjects().named(type, value));
    }
}
