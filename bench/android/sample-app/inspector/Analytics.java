package com.example.sample;

import android.app.Application;
import app.service.inspector.ServiceInspector;
import app.service.inspector.ServiceInspectorEnv;
import java.util.Map;

final class Analytics {
    private static ServiceInspector inspector;

    static void start(Application application) {
        inspector = new ServiceInspector("key", application, ServiceInspectorEnv.Prod);
    }

    static void track(String name, Map<String, ?> properties) {
        inspector.trackSchemaFromEvent(name, properties);
    }
}
