package com.example.shop

import app.service.inspector.InspectorMiddleware
import app.service.inspector.PayloadReader
import app.service.inspector.ServiceInspector
import com.segment.analytics.kotlin.core.Analytics
import com.segment.analytics.kotlin.core.BaseEvent
import com.segment.analytics.kotlin.core.TrackEvent
import com.segment.analytics.kotlin.core.platform.EventPlugin
import com.segment.analytics.kotlin.core.platform.Plugin
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.booleanOrNull
import kotlinx.serialization.json.doubleOrNull
import kotlinx.serialization.json.longOrNull

/** Reports the schema of every event that the app tracks with Segment: `analytics.add(InspectorPlugin(inspector))`. */
class InspectorPlugin(
    inspector: ServiceInspector,
) : EventPlugin {
    override val type = Plugin.Type.Enrichment
    override lateinit var analytics: Analytics

    private val middleware = InspectorMiddleware(inspector, SegmentReader)

    override fun track(payload: TrackEvent): BaseEvent {
        middleware.inspect(payload)
        return payload
    }
}

private object SegmentReader : PayloadReader<TrackEvent> {
    override fun typeOf(payload: TrackEvent) = payload.type.name

    override fun eventNameOf(payload: TrackEvent) = payload.event

    override fun propertiesOf(payload: TrackEvent) = plain(payload.properties)
}

/** Segment has made JSON of the properties; the Inspector wants the values that JSON stands for. */
private fun plain(json: JsonElement): Any? =
    when (json) {
        is JsonObject -> json.mapValues { plain(it.value) }
        is JsonArray -> json.map(::plain)
        is JsonNull -> null
        is JsonPrimitive -> if (json.isString) json.content else json.booleanOrNull ?: json.longOrNull ?: json.doubleOrNull
    }
