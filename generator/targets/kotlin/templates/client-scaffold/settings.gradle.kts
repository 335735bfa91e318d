rootProject.name = "kotlin-client"

dependencyResolutionManagement {
    repositories {
        mavenCentral()
    }
}
