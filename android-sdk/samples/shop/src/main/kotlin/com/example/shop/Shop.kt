package com.example.shop

import app.service.inspector.ServiceInspector

/** The shop as the end-to-end test drives it: each line of the standard input names something that a customer does. */
class Shop(
    inspector: ServiceInspector,
    furtherSteps: Map<String, () -> Unit> = emptyMap(),
) {
    private val steps = mapOf("browse" to Browsing(inspector)::browse, "order" to Ordering(inspector)::order) + furtherSteps

    /** Ends when the input does. */
    fun open() {
        println("shop: open")
        generateSequence(::readLine).forEach { step ->
            steps.getValue(step)()
            println("shop: did $step")
        }
    }
}
