package com.example.sample;

import android.app.Application;
import com.mixpanel.android.mpmetrics.MixpanelAPI;
import java.util.Map;
import org.json.JSONObject;

final class Analytics {
    private static MixpanelAPI mixpanel;

    static void start(Application application) {
        mixpanel = MixpanelAPI.getInstance(application, "key", false);
    }

    static void track(String name, Map<String, ?> properties) {
        mixpanel.track(name, new JSONObject(properties));
    }
}
