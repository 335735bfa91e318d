plugins {
    alias(libs.plugins.android.application)
    alias(libs.plugins.kotlin.android)
}

android {
    namespace = "com.example.shop"
    compileSdk = 35
    defaultConfig {
        applicationId = "com.example.shop"
        minSdk = 21
        targetSdk = 35
        versionCode = 1
        versionName = "1.0.0"
    }
    buildTypes {
        release {
            isMinifyEnabled = true
            proguardFiles(getDefaultProguardFile("proguard-android-optimize.txt"))
        }
    }
}

kotlin {
    jvmToolchain(17)
}

dependencies {
    implementation(project(":shared"))
    debugImplementation(libs.inspector.dev)
}

// In debug builds both come together: prod by way of :shared, and dev. Dev is the one to take.
configurations.configureEach {
    resolutionStrategy.capabilitiesResolution.withCapability("app.service.inspector:use-either-dev-or-prod") {
        select("app.service.inspector:dev:${libs.versions.inspector.get()}")
    }
}
