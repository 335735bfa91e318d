package branchline.inspector.support

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceInspectorEnv
import branchline.inspector.batching.Delivery
import branchline.inspector.batching.DeliveryLoop
import branchline.inspector.batching.DeliveryParts
import branchline.inspector.batching.Settings
import branchline.inspector.platform.RandomSource
import branchline.inspector.platform.Task
import branchline.inspector.platform.Worker
import branchline.inspector.queue.FolderQueueHome
import branchline.inspector.queue.Inbox
import branchline.inspector.queue.MessageIds
import branchline.inspector.queue.QueueHome
import branchline.inspector.queue.QueuePlace
import branchline.inspector.queue.ReportObserver
import branchline.inspector.queue.ReportState
import branchline.inspector.queue.TrackedEvent
import branchline.inspector.transport.Sender
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
    private val claimed = ArrayList<() -> Unit>()

    /** Set to have the network answer only when the test runs it. */
    val heldReplies = ArrayList<Task>()
    var holdsReplies = false
    var delivery = start()
        private set

    fun track(
        name: String = "Event",
        schema: Map<String, ServiceEventSchemaType> = mapOf("price" to ServiceEventSchemaType.ServiceInt()),
    ): String {
        val event = TrackedEvent(name, clock.wallMillis(), schema)
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
                override fun execute(task: Task) {
                    if (holdsReplies) heldReplies += task else network.execute(task)
                }
            }
        val watched = ReleasableHome(FaultyHome(FolderQueueHome(folder, sender()), faults)) { claimed += it }
        val parts = DeliveryParts(clock, random, log, clock.worker(), networkWorker, Inbox(), watched, transport)
        return parts.deliver(sender(), settings).also {
            it.observer = Recorder()
            clock.settle()
        }
    }

    private fun sender() = Sender(API_KEY, environment, "jvm", FakeApp(appVersion))

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

/** A delivery of these parts, as a process makes it. */
internal fun DeliveryParts.deliver(
    sender: Sender,
    settings: Settings,
): Delivery {
    val parts = this
    return object : Delivery(worker, inbox, MessageIds(clock, random), log, settings) {
        override fun makeLoop() = DeliveryLoop(sender, parts, this)
    }.also { it.wake() }
}
