package com.example.sample;

import android.app.Application;
import com.segment.analytics.Properties;
import java.util.Map;

final class Analytics {
    private static com.segment.analytics.Analytics segment;

    static void start(Application application) {
        segment = new com.segment.analytics.Analytics.Builder(application, "key").build();
    }

    static void track(String name, Map<String, ?> properties) {
        Properties copy = new Properties();
        copy.putAll(properties);
        segment.track(name, copy);
    }
}
