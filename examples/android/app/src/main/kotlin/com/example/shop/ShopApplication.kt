package com.example.shop

import android.app.Application
import app.service.inspector.ServiceInspector
import app.service.inspector.ServiceInspectorEnv

/** Makes the one Inspector of the app. */
class ShopApplication : Application() {
    lateinit var inspector: ServiceInspector
        private set

    override fun onCreate() {
        super.onCreate()
        val environment = if (BuildConfig.DEBUG) ServiceInspectorEnv.Dev else ServiceInspectorEnv.Prod
        ServiceInspector.setEndpoint(BuildConfig.INSPECTOR_ENDPOINT)
        inspector = ServiceInspector(BuildConfig.INSPECTOR_API_KEY, this, environment)
    }
}
