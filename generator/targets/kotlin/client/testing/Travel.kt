import io.ktor.client.HttpClient
import io.ktor.client.engine.java.Java
import kotlinx.coroutines.runBlocking
import traintravelapi.client.ApiClient
import traintravelapi.client.ApiException
import traintravelapi.client.Booking
import traintravelapi.client.BookingPayment
import traintravelapi.client.BookingsApi
import traintravelapi.client.CreateBookingPayment200ResponseSource
import traintravelapi.client.Credentials
import traintravelapi.client.PaymentsApi
import traintravelapi.client.StationsApi
import traintravelapi.client.TripsApi

/** Calls a server of train-travel, and prints what it answers. */
public fun main(arguments: Array<String>) {
    HttpClient(Java).use { http -> runBlocking { travel(arguments.single(), http) } }
}

private suspend fun travel(
    server: String,
    http: HttpClient,
) {
    val client = ApiClient("$server/", http, Credentials(oAuth2 = "a token"))
    println(StationsApi(client).getStations().data)
    println(TripsApi(client).getTrips(TRIP, TRIP, "2026-01-02T03:04:05+02:00", bicycles = true).data)

    val bookings = BookingsApi(client)
    println(bookings.createBooking(Booking(tripId = TRIP, passengerName = "Zoë \"Z\" 🚂", hasDog = false)))
    println(bookings.getBooking(TRIP).links?.self)
    println(bookings.deleteBooking(TRIP))

    val source =
        CreateBookingPayment200ResponseSource(
            name = "J. Doe",
            number = "4242",
            `object` = "card",
            cvc = 123,
            expMonth = 12,
            expYear = 2025,
            addressCountry = "gb",
        )
    val payment = BookingPayment(amount = 49.99, currency = BookingPayment.Currency.GBP, source = source)
    println(PaymentsApi(client).createBookingPayment(TRIP, payment).status)

    try {
        BookingsApi(ApiClient(server, http)).getBookings()
    } catch (refused: ApiException) {
        println(refused.message)
    }
}

private const val TRIP = "efdbb9d1-02c2-4bc3-afb7-6788d8782b1e"
