package com.example.shop;

import app.service.inspector.ServiceInspector;
import org.json.JSONException;
import org.json.JSONObject;

/** A link that opens the app; tracked from Java, with JSON. */
final class DeepLink {
    private DeepLink() {}

    static void follow(ServiceInspector inspector) throws JSONException {
        String text = "{\"url\":\"%s\",\"clickedAt\":%d,\"query\":{\"ref\":\"%s\",\"none\":null},\"weights\":[%d.5,%d]}";
        Object[] values = {Canary.uri("link"), Canary.total(21), Canary.text("ref"), Canary.count(22), Canary.count(23)};
        inspector.trackSchemaFromEvent("Deep Link Followed", new JSONObject(String.format(text, values)));
    }
}
