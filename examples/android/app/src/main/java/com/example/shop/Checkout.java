package com.example.shop;

import app.service.inspector.ServiceEventSchemaType;
import app.service.inspector.ServiceInspector;
import java.util.Map;
import org.json.JSONException;
import org.json.JSONObject;

/** Tracks from Java. */
final class Checkout {
    private final ServiceInspector inspector;

    Checkout(ServiceInspector inspector) {
        this.inspector = inspector;
    }

    void placeOrder(String productId, int quantity) {
        try {
            JSONObject order = new JSONObject().put("productId", productId).put("quantity", quantity);
            inspector.trackSchemaFromEvent("Order Placed", order);
            // What only the payment service knows is added by hand.
            Map<String, ServiceEventSchemaType> payment = inspector.extractSchema(order);
            payment.put("total", new ServiceEventSchemaType.ServiceFloat());
            inspector.trackSchema("Order Paid", payment);
        } catch (JSONException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
