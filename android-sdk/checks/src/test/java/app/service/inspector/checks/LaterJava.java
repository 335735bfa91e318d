package app.service.inspector.checks;

import java.time.Instant;
import java.util.Map;

/** Planted: both calls came to Android after API level 21. */
final class LaterJava {
    static Object call(Map<String, Object> map) {
        return map.getOrDefault("at", Instant.now());
    }
}
