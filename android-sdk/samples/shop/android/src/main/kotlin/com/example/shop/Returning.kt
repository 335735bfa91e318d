package com.example.shop

import android.net.Uri
import android.os.Bundle
import app.service.inspector.ServiceInspector
import org.json.JSONArray
import org.json.JSONObject

/** A customer comes back by a notification; tracked from Kotlin, with what only Android has. */
class Returning(
    private val inspector: ServiceInspector,
) {
    fun comeBack() {
        repeat(2) { inspector.trackSchemaFromEvent("Notification Shown", shown()) }
        repeat(3) { DeepLink.follow(inspector) }
        inspector.trackSchemaFromEvent("Notification Dismissed", null as JSONObject?)
        inspector.trackSchemaFromEvent("Screen Viewed", screen())
    }

    private fun shown() =
        JSONObject()
            .put("campaign", Canary.text("campaign"))
            .put("badge", Canary.count(20))
            .put("image", JSONObject.NULL)
            .put("actions", JSONArray(listOf(Canary.text("action"), JSONObject().put("id", Canary.total(20)))))
            .put("channel", JSONObject().put("name", Canary.text("channel")).put("isSilent", true))

    private fun screen() =
        mapOf(
            "address" to Uri.parse(Canary.uri("screen").toString()),
            "state" to Bundle().apply { putString("draft", Canary.text("draft")) },
            "json" to JSONObject().put("scroll", Canary.amount(20)),
        )
}
