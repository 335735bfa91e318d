plugins {
    kotlin("multiplatform") version "2.4.20"
    kotlin("plugin.serialization") version "2.4.20"
}

kotlin {
    jvm()
    sourceSets {
        commonMain {
            kotlin.srcDir("src/commonMain/generated")
            dependencies {
                api("io.ktor:ktor-client-core:3.3.1")
                implementation("org.jetbrains.kotlinx:kotlinx-serialization-json:1.9.0")
            }
        }
        jvmMain.dependencies {
            implementation("io.ktor:ktor-client-java:3.3.1")
        }
    }
}
