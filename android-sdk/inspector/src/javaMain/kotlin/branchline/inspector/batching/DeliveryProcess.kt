package branchline.inspector.batching

import branchline.inspector.platform.Clock
import branchline.inspector.platform.DaemonWorker
import branchline.inspector.platform.Log
import branchline.inspector.platform.SecureRandomSource
import branchline.inspector.platform.Task
import branchline.inspector.queue.FolderQueueHome
import branchline.inspector.queue.Inbox
import branchline.inspector.queue.MessageIds
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
    private val deliveries = HashMap<String, Delivery>()

    /** What the static setters have set. */
    @Volatile
    var settings: Settings = Settings()
        private set

    /** Changes the settings for all deliveries, those that are there and those to come. */
    inline fun change(change: (Settings) -> Settings) {
        synchronized(this) { apply(change(settings)) }
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
        // A key has no spaces.
        val place = sender.apiKey + " " + sender.environment.wireName + " " + folder.path
        synchronized(this) {
            val delivery = deliveries[place] ?: make(sender, folder, clock, log, observer).also { deliveries[place] = it }
            if (observer != null) delivery.observer = observer
            delivery.wake()
            return delivery
        }
    }

    /** Runs a task on the worker, before what is handed over later. */
    fun execute(task: Task) = worker.execute(task)

    /** Tells all deliveries that the app has left the foreground. */
    fun onBackground() {
        synchronized(this) { for (delivery in deliveries.values) delivery.onBackground() }
    }

    /** Ends all deliveries and forgets the settings, as the end of the process would. Afterwards none does anything any more. */
    fun reset() {
        synchronized(this) {
            for (delivery in deliveries.values) delivery.close()
            deliveries.clear()
            settings = Settings()
        }
        worker.await()
    }

    private fun make(
        sender: Sender,
        folder: File,
        clock: Clock,
        log: Log,
        observer: ReportObserver?,
    ) = OfProcess(sender, folder, clock, log, Inbox(), if (observer == null) null else MessageIds(clock, SecureRandomSource))

    private fun apply(changed: Settings) {
        settings = changed
        for (delivery in deliveries.values) delivery.applySettings(changed)
    }

    private class OfProcess(
        private val sender: Sender,
        private val folder: File,
        private val clock: Clock,
        private val log: Log,
        private val inbox: Inbox,
        ids: MessageIds?,
    ) : Delivery(worker, inbox, ids, log, settings) {
        override fun makeLoop(): DeliveryLoop {
            val home = FolderQueueHome(folder, sender)
            val network = networkWorker ?: DaemonWorker("branchline-inspector-network").also { networkWorker = it }
            val parts = DeliveryParts(clock, SecureRandomSource, log, worker, network, inbox, home, HttpUrlTransport())
            return DeliveryLoop(sender, parts, this)
        }
    }
}
