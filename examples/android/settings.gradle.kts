pluginManagement {
    repositories {
        google()
        mavenCentral()
        gradlePluginPortal()
    }
}

dependencyResolutionManagement {
    repositoriesMode = RepositoriesMode.FAIL_ON_PROJECT_REPOS
    repositories {
        google()
        mavenCentral()
        maven {
            // The folder that `branchline android package` has written, or where you have uploaded it.
            url = uri(providers.gradleProperty("inspectorRepository").get())
            content { includeGroup("app.service.inspector") }
        }
    }
}

rootProject.name = "shop"
include(":app")
