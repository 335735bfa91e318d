package com.example.shop;

import app.service.inspector.InspectorMiddleware;
import app.service.inspector.ServiceEventSchemaType;
import app.service.inspector.ServiceInspector;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** A customer buys something; tracked from Java. */
public final class Ordering {
    private final ServiceInspector inspector;
    private final InspectorMiddleware<Payload> middleware;

    public Ordering(ServiceInspector inspector) {
        this.inspector = inspector;
        middleware = new InspectorMiddleware<>(inspector, new Payload.Reader());
    }

    public void order() {
        signIn();
        for (int i = 0; i < 3; i++) inspector.trackSchemaFromEvent("Cart Viewed", cart());
        for (int i = 0; i < 2; i++) inspector.trackSchemaFromEvent("Checkout Started", checkout());
        inspector.trackSchemaFromEvent("Payment Failed", failure());
        for (int i = 0; i < 4; i++) complete();
        inspector.trackSchema("Order Refunded", refund());
        inspector.trackSchema("Survey Skipped", null);
    }

    /** Passes the middleware, which reports what is tracked, and nothing else. */
    private void signIn() {
        Map<String, Object> traits = new HashMap<>();
        traits.put("email", Canary.text("email"));
        traits.put("visits", Canary.count(10));
        for (String type : List.of("identify", "track", "track", "screen")) {
            middleware.intercept(new Payload(type, "Signed In", traits), payload -> {});
        }
    }

    private Map<String, Object> cart() {
        Map<String, Object> item = new HashMap<>();
        item.put("sku", Canary.text("sku-in-cart"));
        item.put("quantity", Canary.count(11));
        item.put("isGift", false);
        Map<String, Object> properties = new HashMap<>();
        properties.put("items", Arrays.asList(item, item));
        properties.put("coupon", null);
        properties.put("customer", new Customer());
        return properties;
    }

    private Map<String, Object> checkout() {
        Map<String, Object> properties = new HashMap<>();
        properties.put("id", Canary.uuid());
        properties.put("startedAt", Canary.date());
        properties.put("deadline", Canary.date().toInstant());
        properties.put("delivery", Delivery.GOLDFINCH_CANARY_EXPRESS);
        properties.put("total", Canary.decimal(3));
        properties.put("points", Canary.bigInteger(1));
        properties.put("steps", new String[] {Canary.text("step-1"), Canary.text("step-2")});
        properties.put("terms", Canary.uri("terms"));
        return properties;
    }

    private Map<String, Object> failure() {
        Map<String, Object> properties = new HashMap<>();
        properties.put("attempts", Arrays.asList(Canary.text("attempt"), Canary.count(12), Canary.amount(6), null, true));
        properties.put("thread", Thread.currentThread());
        properties.put("codes", new BrokenList());
        return properties;
    }

    /** Looks at the schema, and changes it, before it is reported. */
    private void complete() {
        Map<String, ServiceEventSchemaType> schema = inspector.extractSchema(new Customer());
        schema.remove("street");
        schema.put("total", new ServiceEventSchemaType.ServiceFloat());
        inspector.trackSchema("Order Completed", schema);
    }

    private Map<String, ServiceEventSchemaType> refund() {
        ServiceEventSchemaType text = new ServiceEventSchemaType.ServiceString();
        Map<String, ServiceEventSchemaType> schema = new HashMap<>();
        schema.put("reasons", new ServiceEventSchemaType.ServiceList(new HashSet<>(Arrays.asList(text, new ServiceEventSchemaType.ServiceNull()))));
        schema.put("clerk", new ServiceEventSchemaType.ServiceObject(Collections.singletonMap("name", text)));
        return schema;
    }

    enum Delivery {
        GOLDFINCH_CANARY_EXPRESS
    }

    /** A list that can't be read, and says why with a value. */
    private static final class BrokenList extends AbstractList<String> {
        @Override
        public String get(int index) {
            throw new IllegalStateException(Canary.text("message"));
        }

        @Override
        public int size() {
            return 1;
        }
    }
}
