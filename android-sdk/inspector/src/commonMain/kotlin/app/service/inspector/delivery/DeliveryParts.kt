package app.service.inspector.delivery

import app.service.inspector.platform.Clock
import app.service.inspector.platform.GuardedWorker
import app.service.inspector.platform.Log
import app.service.inspector.platform.RandomSource
import app.service.inspector.platform.Worker

/** What a [Delivery] is made of that depends on the machine. */
internal class DeliveryParts(
    val clock: Clock,
    val random: RandomSource,
    val log: Log,
    worker: Worker,
    /** Waits for the network, and nothing else. */
    val networkWorker: Worker,
    val inbox: Inbox,
    val home: QueueHome,
    val transport: Transport,
) {
    /** Decides and uses the disk; never waits for the network, so that events are on disk at once. */
    val worker: Worker = GuardedWorker(worker, log)
}
