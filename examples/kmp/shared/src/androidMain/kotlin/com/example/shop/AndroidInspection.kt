package com.example.shop

import android.app.Application
import app.service.inspector.ServiceInspector
import app.service.inspector.ServiceInspectorEnv

/** The Inspector of the Android app. */
fun inspectorOf(
    application: Application,
    apiKey: String,
    environment: ServiceInspectorEnv,
): ServiceInspector = ServiceInspector(apiKey, application, environment)
