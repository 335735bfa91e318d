package com.example.shop;

import android.app.Activity;
import android.app.Application;
import app.service.inspector.DebuggerMode;
import app.service.inspector.InspectorMiddleware;
import app.service.inspector.PayloadReader;
import app.service.inspector.ServiceEventSchemaType;
import app.service.inspector.ServiceInspector;
import app.service.inspector.ServiceInspectorEnv;
import java.util.HashMap;
import java.util.Map;
import org.json.JSONException;
import org.json.JSONObject;

/** The Java of docs/android.md. */
final class ShopInspector {
    private final ServiceInspector inspector;

    ShopInspector(Application application, Activity mainActivity) {
        ServiceInspectorEnv environment = BuildConfig.DEBUG ? ServiceInspectorEnv.Dev : ServiceInspectorEnv.Prod;
        ServiceInspector.setEndpoint("https://inspector.example.com");
        inspector = new ServiceInspector("<API_KEY>", application, environment, mainActivity);
    }

    void track() throws JSONException {
        Map<String, Object> properties = new HashMap<>();
        properties.put("productId", "p-1");
        properties.put("price", 19.95);
        inspector.trackSchemaFromEvent("Product Viewed", properties);
        inspector.trackSchemaFromEvent("Product Viewed", new JSONObject("{\"productId\":\"p-1\",\"price\":19.95}"));
    }

    void trackBySchema(Object order) {
        Map<String, ServiceEventSchemaType> schema = inspector.extractSchema(order);
        schema.put("total", new ServiceEventSchemaType.ServiceFloat());
        inspector.trackSchema("Order Placed", schema);
    }

    void set() {
        ServiceInspector.enableLogging(true);
        ServiceInspector.setBatchSize(15);
        ServiceInspector.setBatchFlushSeconds(10);
    }

    void show(Activity activity) {
        inspector.showVisualInspector(activity, DebuggerMode.BAR);
        inspector.hideVisualInspector(activity);
    }

    InspectorMiddleware<Payload> middleware() {
        return new InspectorMiddleware<>(inspector, new ShopPayloads());
    }

    interface Payload {
        String type();

        String event();

        Map<String, ?> properties();
    }

    static final class ShopPayloads implements PayloadReader<Payload> {
        @Override
        public String typeOf(Payload payload) {
            return payload.type();
        }

        @Override
        public String eventNameOf(Payload payload) {
            return payload.event();
        }

        @Override
        public Object propertiesOf(Payload payload) {
            return payload.properties();
        }
    }
}
