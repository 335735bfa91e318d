package com.example.shop;

/** As Android's Gradle plugin makes it. */
final class BuildConfig {
    static final boolean DEBUG = true;

    private BuildConfig() {}
}
