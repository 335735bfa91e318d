package branchline.inspector.batching

import branchline.inspector.platform.Clock
import branchline.inspector.platform.Log
import branchline.inspector.platform.RandomSource
import branchline.inspector.platform.Worker
import branchline.inspector.queue.Inbox
import branchline.inspector.queue.QueueHome
import branchline.inspector.transport.Transport

/** What a [Delivery] is made of that depends on the machine. */
internal class DeliveryParts(
    val clock: Clock,
    val random: RandomSource,
    val log: Log,
    /** Decides and uses the disk; never waits for the network, so that events are on disk at once. */
    val worker: Worker,
    /** Waits for the network, and nothing else. */
    val networkWorker: Worker,
    val inbox: Inbox,
    val home: QueueHome,
    val transport: Transport,
)
