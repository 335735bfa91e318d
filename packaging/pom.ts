import { type Artifact, GROUP, type Variant } from './coordinates.ts';

const DESCRIPTIONS: Readonly<Record<Variant, string>> = {
  dev: 'Derives the schemas of analytics events on the device and reports them. For debug builds: with the visual inspector.',
  prod: 'Derives the schemas of analytics events on the device and reports them. For release builds: without the visual inspector.',
};

/** What Maven reads of an artifact. Gradle takes the comment as the word that there is a `.module` beside it. */
export function printPom({ variant, tag, kotlin }: Artifact): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd/maven-4.0.0.xsd">
  <!-- do_not_remove: published-with-gradle-metadata -->
  <modelVersion>4.0.0</modelVersion>
  <groupId>${GROUP}</groupId>
  <artifactId>${variant}</artifactId>
  <version>${tag}</version>
  <packaging>aar</packaging>
  <name>Inspector library for Android, ${variant}</name>
  <description>${DESCRIPTIONS[variant]}</description>
  <licenses>
    <license>
      <name>Apache-2.0</name>
      <url>https://www.apache.org/licenses/LICENSE-2.0.txt</url>
      <distribution>repo</distribution>
    </license>
  </licenses>
  <developers>
    <developer>
      <id>branchline</id>
      <name>The developers of Branchline</name>
    </developer>
  </developers>
  <dependencies>
    <dependency>
      <groupId>org.jetbrains.kotlin</groupId>
      <artifactId>kotlin-stdlib</artifactId>
      <version>${kotlin}</version>
      <scope>compile</scope>
    </dependency>
  </dependencies>
</project>
`;
}
