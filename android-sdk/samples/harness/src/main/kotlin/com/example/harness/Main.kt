package com.example.harness

import com.google.gson.Gson
import com.google.gson.GsonBuilder
import com.google.gson.JsonObject
import com.google.gson.JsonParser

private val json: Gson = GsonBuilder().disableHtmlEscaping().create()

/** Answers lines of JSON with lines of JSON, until it is told to stop or its input ends. */
public fun main() {
    val driver = Driver()
    for (line in generateSequence(::readLine)) {
        val request = JsonParser.parseString(line).asJsonObject
        println(json.toJson(answer(driver, request)))
        if (request.get("do").asString == "stop") return
    }
}

/** Whatever fails is told, since it is what is looked for. */
@Suppress("TooGenericExceptionCaught")
private fun answer(
    driver: Driver,
    request: JsonObject,
): JsonObject =
    try {
        driver.answer(request)
    } catch (fault: Throwable) {
        JsonObject().apply {
            addProperty("ok", false)
            addProperty("error", fault.toString())
        }
    }
