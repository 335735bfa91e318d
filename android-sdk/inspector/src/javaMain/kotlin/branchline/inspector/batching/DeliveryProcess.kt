package branchline.inspector.batching

import app.service.inspector.ServiceInspectorEnv
import branchline.inspector.platform.Clock
import branchline.inspector.platform.DaemonWorker
import branchline.inspector.platform.GuardedWorker
import branchline.inspector.platform.Log
import branchline.inspector.platform.SecureRandomSource
import branchline.inspector.queue.FolderQueueHome
import branchline.inspector.queue.MessageIds
import branchline.inspector.queue.QueueInbox
import branchline.inspector.queue.ReportObserver
import branchline.inspector.transport.HttpUrlTransport
import branchline.inspector.transport.Sender
import java.io.File
import kotlin.concurrent.Volatile

/**
 * What the whole process shares: two threads, the static settings, and one delivery for each key, environment and folder. Nothing in it
 * touches the disk or the network on the caller's thread.
 */
internal object DeliveryProcess {
    private val worker = DaemonWorker("branchline-inspector-queue")

    /** Made and used by the worker. */
    private var networkWorker: DaemonWorker? = null

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
     * @param observer told of every event from now on, instead of the one before
     */
    fun delivery(
        sender: Sender,
        folder: File,
        clock: Clock,
        log: Log,
        observer: ReportObserver?,
    ): Delivery {
        synchronized(deliveries) {
            val place = Place(sender.apiKey, sender.environment, folder)
            val delivery = deliveries[place] ?: deliver(sender, folder, clock, log).also { deliveries[place] = it }
            if (observer != null) delivery.observer = observer
            return delivery
        }
    }

    /** Tells all deliveries that the app has left the foreground. */
    fun onBackground() = synchronized(deliveries) { deliveries.values.forEach { it.onBackground() } }

    /** Ends all deliveries and forgets the settings, as the end of the process would. Afterwards none does anything any more. */
    fun reset() {
        synchronized(deliveries) {
            deliveries.values.forEach { it.close() }
            deliveries.clear()
            settings = Settings()
        }
        worker.await()
    }

    private fun deliver(
        sender: Sender,
        folder: File,
        clock: Clock,
        log: Log,
    ): Delivery {
        val inbox = QueueInbox()
        val guarded = GuardedWorker(worker, log)
        val atFirst = settings
        return Delivery(guarded, inbox, MessageIds(clock, SecureRandomSource)) { delivery ->
            val home = FolderQueueHome(folder, sender)
            val network = networkWorker ?: DaemonWorker("branchline-inspector-network").also { networkWorker = it }
            val parts = DeliveryParts(clock, SecureRandomSource, log, guarded, network, inbox, home, HttpUrlTransport())
            DeliveryLoop(sender, atFirst, parts, delivery)
        }
    }

    private data class Place(
        val apiKey: String,
        val environment: ServiceInspectorEnv,
        val folder: File,
    )
}
