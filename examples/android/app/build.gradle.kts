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
        buildConfigField("String", "INSPECTOR_API_KEY", "\"${property("inspectorApiKey")}\"")
        buildConfigField("String", "INSPECTOR_ENDPOINT", "\"${property("inspectorEndpoint")}\"")
    }

    buildFeatures {
        buildConfig = true
    }

    buildTypes {
        release {
            // The library brings its own rules.
            isMinifyEnabled = true
            proguardFiles(getDefaultProguardFile("proguard-android-optimize.txt"))
        }
    }

    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_11
        targetCompatibility = JavaVersion.VERSION_11
    }
}

kotlin {
    jvmToolchain(17)
    compilerOptions {
        jvmTarget = org.jetbrains.kotlin.gradle.dsl.JvmTarget.JVM_11
    }
}

dependencies {
    debugImplementation(libs.inspector.dev)
    releaseImplementation(libs.inspector.prod)
}
