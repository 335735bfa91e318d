package app.service.inspector.checks;

import android.app.Activity;
import java.util.Map;
import org.json.JSONObject;

/** Planted: all of this is there on API level 21. */
final class Level21 {
    static Object call(Activity activity, Map<String, Object> map) {
        return new JSONObject(map).opt(activity.getLocalClassName());
    }
}
