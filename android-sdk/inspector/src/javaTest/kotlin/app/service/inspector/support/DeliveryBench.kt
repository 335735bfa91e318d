package app.service.inspector.support

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceInspectorEnv
import app.service.inspector.delivery.Delivery
import app.service.inspector.delivery.DeliveryParts
import app.service.inspector.delivery.FolderQueueHome
import app.service.inspector.delivery.MessageIds
import app.service.inspector.delivery.QueueHome
import app.service.inspector.delivery.QueueInbox
import app.service.inspector.delivery.QueuePlace
import app.service.inspector.delivery.ReportObserver
import app.service.inspector.delivery.ReportState
import app.service.inspector.delivery.Sender
import app.service.inspector.delivery.Settings
import app.service.inspector.delivery.TrackedEvent
import app.service.inspector.platform.RandomSource
import app.service.inspector.platform.Worker
import app.service.inspector.wire.BatchApp
import java.io.File

/** A delivery on real files, with time, chance and the service in the hands of the test. */
internal class DeliveryBench(
    private val folder: File,
    private val environment: ServiceInspectorEnv = ServiceInspectorEnv.Prod,
    var settings: Settings = Settings(endpoint = ENDPOINT),
    val clock: FakeClock = FakeClock(),
    val random: RandomSource = SeededRandom(1),
) {
    val transport = ScriptedTransport()
    val faults = DiskFaults()
    val log = RecordingLog()
    val states = HashMap<String, ReportState>()
    var appVersion = "1.0.0"
    private val ids = MessageIds(clock, random)
    private val claimed = ArrayList<() -> Unit>()

    /** Set to have the network answer only when the test runs it. */
    val heldReplies = ArrayList<() -> Unit>()
    var holdsReplies = false
    var delivery = start()
        private set

    fun track(
        name: String = "Event",
        schema: Map<String, ServiceEventSchemaType> = mapOf("price" to ServiceEventSchemaType.ServiceInt()),
    ): String {
        val event = TrackedEvent(ids.next(), name, clock.wallMillis(), schema)
        delivery.report(event)
        clock.settle()
        return event.messageId
    }

    fun trackMany(count: Int): List<String> = (1..count).map { track("Event $it") }

    /** Ends the process without a word, and starts it again. */
    fun killAndRestart() {
        clock.killTasks()
        releaseLocks()
        delivery = start()
    }

    /** All that is stored, as text. */
    fun stored(): String = folder.walk().filter { it.isFile }.joinToString("\n") { it.path + "\n" + it.readBytes().decodeToString() }

    fun queueFile(): File = folder.walk().first { it.name == "queue" }

    /** The system would do it at the end of a process. */
    private fun releaseLocks() = claimed.forEach { it() }.also { claimed.clear() }

    private fun start(): Delivery {
        val network = clock.worker()
        val networkWorker =
            object : Worker by network {
                override fun execute(task: () -> Unit) {
                    if (holdsReplies) heldReplies += task else network.execute(task)
                }
            }
        val watched = ReleasableHome(FaultyHome(FolderQueueHome(folder, sender()), faults)) { claimed += it }
        val parts = DeliveryParts(clock, random, log, clock.worker(), networkWorker, QueueInbox(), watched, transport)
        return Delivery(sender(), settings, parts).also {
            it.observe(Recorder())
            clock.settle()
        }
    }

    private fun sender() = Sender(API_KEY, environment, "jvm") { BatchApp("com.example.shop", "Shop", appVersion) }

    private class ReleasableHome(
        private val home: QueueHome,
        private val onClaim: (() -> Unit) -> Unit,
    ) : QueueHome by home {
        override fun claim(): QueuePlace = home.claim().also { place -> onClaim { place.release() } }
    }

    private inner class Recorder : ReportObserver {
        override fun onTracked(event: TrackedEvent) = Unit

        override fun onState(
            messageId: String,
            state: ReportState,
        ) {
            states[messageId] = state
        }
    }

    internal companion object {
        const val ENDPOINT = "https://inspector.example"
        const val API_KEY = "canary-key-4711"
    }
}
