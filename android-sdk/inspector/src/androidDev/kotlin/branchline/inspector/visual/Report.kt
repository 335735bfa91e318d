package branchline.inspector.visual

import app.service.inspector.ServiceEventSchemaType
import branchline.inspector.queue.ReportState
import branchline.inspector.queue.TrackedEvent

/** A tracked event as the visual inspector shows it: names, types and a state. There are no values. */
internal class Report private constructor(
    /** Counts the tracked events from 1; never used twice. */
    val number: Long,
    val event: TrackedEvent,
    val state: ReportState,
    private val schema: ReportedSchema,
) {
    constructor(number: Long, event: TrackedEvent, earlier: Report?) : this(
        number,
        event,
        ReportState.QUEUED,
        ReportedSchema(event.eventName, event.schema, earlier?.event?.schema),
    )

    /** The path of each property whose type differs from the event of the same name before, with its type there. */
    val changedTypes: Map<List<String>, ServiceEventSchemaType> get() = schema.changedTypes

    fun withState(state: ReportState): Report = Report(number, event, state, schema)

    /** Whether the event's name or a property's contains [query], in whatever case. */
    fun matches(query: String): Boolean = schema.searchText.contains(query.lowercase())
}
