package app.service.inspector.benchmarks;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Schemas as the closest library derives them, written anew: a hash map of names, a type made for each value, a hash set for each list,
 * the fields of an object looked up each time, and containers asked for before what apps track most.
 */
final class Usual {
    private Usual() {}

    static Map<String, Type> schemaOf(Object properties) throws ReflectiveOperationException, JSONException {
        Map<String, Type> schema = new HashMap<>();
        if (properties instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) schema.put(entry.getKey().toString(), typeOf(entry.getValue()));
        } else if (properties instanceof JSONObject json) {
            for (Iterator<String> names = json.keys(); names.hasNext(); ) {
                String name = names.next();
                schema.put(name, typeOf(json.get(name)));
            }
        } else {
            for (Field field : fieldsOf(properties.getClass())) schema.put(field.getName(), typeOf(field.get(properties)));
        }
        return schema;
    }

    private static Type typeOf(Object value) throws JSONException {
        if (value == null || value == JSONObject.NULL) return new Type("null");
        if (value instanceof List<?> list) {
            Set<Type> types = new HashSet<>();
            for (Object element : list) types.add(typeOf(element));
            return new Type("list", types);
        }
        if (value instanceof JSONArray array) {
            Set<Type> types = new HashSet<>();
            for (int index = 0; index < array.length(); index++) types.add(typeOf(array.get(index)));
            return new Type("list", types);
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, Type> children = new HashMap<>();
            for (Object name : map.keySet()) children.put((String) name, typeOf(map.get(name)));
            return new Type("object", children);
        }
        if (value instanceof Integer || value instanceof Byte || value instanceof Long || value instanceof Short) return new Type("int");
        if (value instanceof Boolean) return new Type("boolean");
        if (value instanceof Float || value instanceof Double) return new Type("float");
        if (value instanceof String || value instanceof Character) return new Type("string");
        return new Type("unknown");
    }

    private static List<Field> fieldsOf(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> declaring = type; declaring != Object.class; declaring = declaring.getSuperclass()) {
            fields.addAll(List.of(declaring.getDeclaredFields()));
        }
        return fields;
    }

    record Type(String name, Object parts) {
        Type(String name) {
            this(name, null);
        }
    }
}
