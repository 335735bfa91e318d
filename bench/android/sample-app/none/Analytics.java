package com.example.sample;

import android.app.Application;
import java.util.Map;

final class Analytics {
    static void start(Application application) {}

    static void track(String name, Map<String, ?> properties) {}
}
