plugins {
    alias(libs.plugins.kotlin.multiplatform)
    alias(libs.plugins.android.library)
}

kotlin {
    jvmToolchain(17)
    androidTarget()
    jvm()

    sourceSets {
        commonMain.dependencies {
            // The one that ships; the app replaces it in its debug builds.
            api(libs.inspector.prod)
        }
    }
}

android {
    namespace = "com.example.shop.shared"
    compileSdk = 35
    defaultConfig {
        minSdk = 21
    }
}
