package app.service.inspector.delivery

import app.service.inspector.ServiceInspectorEnv
import app.service.inspector.platform.Clock
import app.service.inspector.platform.DaemonWorker
import app.service.inspector.platform.Log
import app.service.inspector.platform.SecureRandomSource
import java.io.File
import kotlin.concurrent.Volatile

/**
 * What the whole process shares: two threads, the static settings, and one delivery for each key, environment and folder. Nothing in it
 * touches the disk or the network on the caller's thread.
 */
internal object DeliveryProcess {
    private val worker by lazy { DaemonWorker("branchline-inspector-queue") }
    private val networkWorker by lazy { DaemonWorker("branchline-inspector-network") }

    /** Guarded by itself. */
    private val deliveries = HashMap<Place, Delivery>()

    /** What the static setters have set. */
    @Volatile
    var settings: Settings = Settings()
        private set

    /** Changes the settings for all deliveries, those that are there and those to come. */
    fun change(change: (Settings) -> Settings) =
        synchronized(deliveries) {
            settings = change(settings)
            deliveries.values.forEach { it.applySettings(settings) }
        }

    /**
     * The delivery of a sender, which all instances with the same key and environment share.
     *
     * @param folder the app's own folder for queues; made later, by the worker
     * @param observer told of every event from now on
     */
    fun delivery(
        sender: Sender,
        folder: File,
        clock: Clock,
        log: Log,
        observer: ReportObserver?,
    ): Delivery =
        synchronized(deliveries) {
            val place = Place(sender.apiKey, sender.environment, folder)
            deliveries
                .getOrPut(place) { Delivery(sender, settings, parts(sender, folder, clock, log)) }
                .also { delivery -> observer?.let(delivery::observe) }
        }

    /** Tells all deliveries that the app has left the foreground. */
    fun onBackground() = synchronized(deliveries) { deliveries.values.forEach { it.onBackground() } }

    /** Ends all deliveries and forgets the settings, as the end of the process would. */
    fun reset() =
        synchronized(deliveries) {
            deliveries.values.forEach { it.close() }
            deliveries.clear()
            settings = Settings()
        }

    private fun parts(
        sender: Sender,
        folder: File,
        clock: Clock,
        log: Log,
    ) = DeliveryParts(
        clock = clock,
        random = SecureRandomSource,
        log = log,
        worker = worker,
        networkWorker = networkWorker,
        inbox = QueueInbox(),
        home = FolderQueueHome(folder, sender),
        transport = HttpUrlTransport(),
    )

    private data class Place(
        val apiKey: String,
        val environment: ServiceInspectorEnv,
        val folder: File,
    )
}
