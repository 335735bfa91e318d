package com.example.shop;

import app.service.inspector.PayloadReader;
import java.util.Map;

/** What passes through the middleware of the shop's analytics SDK. */
final class Payload {
    private final String type;
    private final String event;
    private final Map<String, ?> properties;

    Payload(String type, String event, Map<String, ?> properties) {
        this.type = type;
        this.event = event;
        this.properties = properties;
    }

    static final class Reader implements PayloadReader<Payload> {
        @Override
        public String typeOf(Payload payload) {
            return payload.type;
        }

        @Override
        public String eventNameOf(Payload payload) {
            return payload.event;
        }

        @Override
        public Object propertiesOf(Payload payload) {
            return payload.properties;
        }
    }
}
