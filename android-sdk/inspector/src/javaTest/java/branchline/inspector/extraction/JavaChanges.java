package branchline.inspector.extraction;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** All that Java can try with a map that Kotlin knows as one to be read. */
final class JavaChanges {
    private JavaChanges() {}

    static <T> List<Consumer<Map<String, T>>> of(String name, T type) {
        return List.of(
                map -> map.put(name, type),
                map -> map.putAll(Map.of(name, type)),
                map -> map.remove(name),
                Map::clear,
                map -> map.keySet().clear(),
                map -> map.values().clear(),
                map -> map.entrySet().clear(),
                map -> map.entrySet().iterator().next().setValue(type),
                map -> {
                    Iterator<String> names = map.keySet().iterator();
                    names.next();
                    names.remove();
                });
    }
}
