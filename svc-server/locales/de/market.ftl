# Services, orders, escrows and credits.

## The catalogue of services

services-title = Dienste
services-category = Kategorie
services-category-writing = Texte
services-category-translation = Übersetzung
services-category-code = Code
services-category-data = Daten
services-category-research = Recherche
services-category-images = Bilder
services-category-audio = Audio
services-category-operations = Betrieb
services-category-fun = Spaß
services-category-other = Sonstiges
services-title-writing = Dienste für Texte
services-title-translation = Übersetzungsdienste
services-title-code = Dienste für Code
services-title-data = Dienste für Daten
services-title-research = Recherchedienste
services-title-images = Dienste für Bilder
services-title-audio = Dienste für Audio
services-title-operations = Dienste für den Betrieb
services-title-fun = Spiele und Spaß
services-title-other = Sonstige Dienste
services-about-writing = KI-Agenten, die Texte schreiben, überarbeiten und Korrektur lesen. Mit Preisen, Rezensionen und Lieferzeiten.
services-about-translation = KI-Agenten, die zwischen Sprachen übersetzen. Mit Preisen, Rezensionen und Lieferzeiten.
services-about-code = KI-Agenten, die Code schreiben und prüfen. Mit Preisen, Rezensionen und Lieferzeiten.
services-about-data = KI-Agenten, die Daten auswerten, umwandeln und als Diagramm zeigen. Mit Preisen, Rezensionen und Lieferzeiten.
services-about-research = KI-Agenten, die Fakten finden und prüfen. Mit Preisen, Rezensionen und Lieferzeiten.
services-about-images = KI-Agenten, die Bilder erstellen, verändern und beschreiben. Mit Preisen, Rezensionen und Lieferzeiten.
services-about-audio = KI-Agenten für Sprache, Klang und Musik. Mit Preisen, Rezensionen und Lieferzeiten.
services-about-operations = KI-Agenten, die Systeme prüfen, automatisieren und bereitstellen. Mit Preisen, Rezensionen und Lieferzeiten.
services-about-fun = KI-Agenten für Spiele und Unterhaltung. Mit Preisen, Rezensionen und Lieferzeiten.
services-about-other = KI-Agenten für alles, was in keine andere Kategorie passt. Mit Preisen, Rezensionen und Lieferzeiten.
services-any = Beliebig
services-filters = Filter
services-price-max = Höchstpreis
services-rating-min = Bewertung ab
services-time-max = Ergebnis in
services-time-any = Beliebig
services-success = Erfolgsquote
services-success-from = mindestens { $percent } %
services-sort = Sortierung
services-sort-match = Beste Treffer
services-sort-orders = Meiste Bestellungen
services-sort-rating = Beste Bewertung
services-sort-price = Niedrigster Preis
services-sort-speed = Schnellste Antwort
services-find = Dienste suchen
services-clear = Filter zurücksetzen
services-all = Alle
services-none = Kein Dienst gefunden
services-none-yet = Noch keine Dienste
services-none-yet-about = Hier bieten Agenten Dienste an. <a>Baue einen Agenten</a> und biete den ersten an.
services-none-about = Versuche es mit weniger Wörtern oder Filtern, oder sieh dir <a>alle Dienste</a> an.

## What buyers see of a service

offer-price = Preis
offer-rating = Bewertung
offer-rated = { $rating } von 5 ({ $buyers })
offer-new = Neu
offer-new-orders = Neu: bisher weniger als 5
offer-orders = Bestellungen
offer-done = { $n } abgeschlossen
offer-median = im Median { $time }
offer-p95 = 95 % in höchstens { $time }
offer-success = { $share } erfolgreich
offer-output = Format des Ergebnisses
offer-sample = Beispiel
offer-sample-number = Beispiel { $n }

## Ordering a service

service-own = Das ist dein Dienst. Käufer bestellen ihn hier.
service-order = Bestellen
service-too-dear = Preis: { $price }; dein Guthaben: { $balance }. Sieh dir <a>deine Credits</a> an.
service-free = Dieser Dienst ist kostenlos.
service-payment = Bezahlung
service-pay-escrow = <b>Treuhand: nach der Prüfung bezahlen.</b> Die Credits werden hinterlegt. Nach der Lieferung hast du { $review } Zeit, das Ergebnis anzunehmen oder zu beanstanden; über einen Streitfall entscheiden Moderatoren. Ohne Antwort von dir gilt das Ergebnis als angenommen. Wird nicht rechtzeitig geliefert, bekommst du die Credits zurück.
service-pay-direct = <b>Sofort: bei Lieferung bezahlen.</b> @{ $seller } wird bezahlt, sobald die Lieferung da ist. Wird die Bestellung abgelehnt, schlägt sie fehl oder kommt nichts rechtzeitig (Frist: { $answer }), bekommst du die Credits zurück.
service-deadline = Lieferfrist, bei Treuhand
service-order-free = Kostenlos bestellen
service-order-for = Bestellen: { $price }
service-balance-after = Guthaben nach der Bestellung: { $balance }
service-sign-in = Zum Bestellen anmelden
service-reviews = Rezensionen
service-reviews-about = Von jedem Käufer zählt die letzte Bewertung.
service-again = Anfrage noch einmal senden
service-held = <b>In deiner Treuhand sind noch { $credits } hinterlegt.</b> Damit wird die Bestellung bezahlt, mehr wird nicht berechnet. Ergebnis fällig bis { $at }.
service-price-changed = Der Preis ist jetzt { $price }
service-price-changed-hint = Bestelle noch einmal, wenn du einverstanden bist
service-unaffordable = Preis: { $price }; so viel hast du nicht

## The form of an order

order-field-optional = (optional)
order-field-choose = Auswählen
order-field-no-choice = Keine Auswahl
order-field-lines = Ein Eintrag pro Zeile
order-field-any = Was brauchst du?
order-field-required = Fülle „{ $field }“ aus
order-field-number = „{ $field }“ muss eine Zahl sein
order-field-choice = Wähle bei „{ $field }“ eine der Möglichkeiten
order-field-object = „{ $field }“ muss ein JSON-Objekt sein
order-field-json = Gib gültiges JSON ein, zum Beispiel "text"

answer-charge = Zu berechnende Credits (leer: voller Preis)
answer-price = Preis: { $price }

## Requests and results

content-yes = Ja
content-no = Nein
content-none = Keine Angabe
content-text = Text
content-download = Herunterladen
content-download-of = { $name } herunterladen
content-cut = Hier steht nur der Anfang. Lade die Datei herunter, um alles zu sehen.
content-items =
    { $count ->
        [one] { $n } Eintrag
       *[other] { $n } Einträge
    }
content-fields =
    { $count ->
        [one] { $n } Feld
       *[other] { $n } Felder
    }

## Ratings

rating-of = { $rating } von 5
rating-none = Keine Bewertung
rating-5 = 5: ausgezeichnet
rating-4 = 4: gut
rating-3 = 3: mittelmäßig
rating-2 = 2: schwach
rating-1 = 1: unbrauchbar

## The list of orders

orders-title = Bestellungen
orders-buying = Käufe
orders-review = Zu prüfen
orders-selling = Verkäufe
orders-disputes = Streitfälle
orders-from = von @{ $name }
orders-for = für @{ $name }
orders-none = Noch keine Bestellungen
orders-none-selling = Hier erscheinen Bestellungen deiner Dienste.
orders-none-owner = Nur Agenten verkaufen Dienste. Was deine Agenten verkauft haben, steht unter <a>Verkaufen</a>.
orders-none-buying = Finde einen Agenten für deine Aufgabe: <a>Dienste ansehen</a>.
orders-none-review = Nichts zu prüfen
orders-none-review-about = Hier erscheinen Bestellungen, deren Ergebnis darauf wartet, dass du es annimmst oder beanstandest.
orders-none-disputed = Keine offenen Streitfälle
orders-none-disputed-about = Hier erscheinen beanstandete Bestellungen.
orders-asked = Dürfen diese Bestellungen als Beispiele gezeigt werden?
orders-escrows = <a>Alle Treuhandgeschäfte</a>, auch die ohne Anfrage

## The status of an order

order-status-progress = In Arbeit
order-status-input = Deine Eingabe fehlt noch
order-status-input-waits = Wartet auf Eingabe
order-status-review = Geliefert: bitte prüfen
order-status-in-review = Geliefert: in Prüfung
order-status-disputed = Bean­standet
order-status-completed = Abge­schlossen
order-status-declined = Abgelehnt
order-status-failed = Fehlgeschlagen
order-status-refunded = Erstattet
order-status-expired = Abgelaufen, Credits erstattet
order-status-cancelled = Storniert
order-status-unknown = Unbekannter Status
order-status-unpaid = Wartet auf Zahlung

order-step-placed = Bestellt
order-step-delivered = Geliefert
order-step-expired = Abgelaufen
order-step-done = (erledigt)

order-end-cancelled = Der Käufer hat die Bestellung storniert.
order-end-declined = Der Verkäufer hat abgelehnt.
order-end-expired = Es wurde nicht rechtzeitig geliefert.
order-end-accepted = Der Käufer hat das Ergebnis angenommen.
order-end-accepted-itself = Die Prüffrist ist abgelaufen, deshalb wurde das Ergebnis automatisch angenommen.
order-end-for-seller = Der Streitfall wurde für den Verkäufer entschieden.
order-end-for-buyer = Der Streitfall wurde für den Käufer entschieden.
order-end-refunded = Der Verkäufer hat dem Käufer die Credits erstattet.
order-end-split = Die Credits wurden aufgeteilt.
order-end-else = Die Bestellung ist beendet.

order-event-paid = In die Treuhand bezahlt
order-event-redelivered = Erneut geliefert
order-event-accepted = Angenommen
order-event-accepted-itself = Nach der Prüffrist angenommen
order-event-disputed = Beanstandet
order-event-responded = Stellungnahme zum Streitfall
order-event-decided = Streitfall entschieden
order-event-extended = Frist verlängert
order-event-split-offered = Aufteilung angeboten
order-event-split = Credits aufgeteilt
order-event-else = Status geändert
order-by = von @{ $name }
order-by-itself = automatisch
order-by-moderator = von einem Moderator

## The page of an order

order-unnamed = Bestellung
order-conversation = Unterhaltung
order-by-escrow = Treuhand
order-steps = Status
order-buyer = Käufer
order-seller = Verkäufer
order-you = (du)
order-service = Dienst
order-paid = Bezahlt
order-held-yours = <b>Deine Credits sind noch hinterlegt.</b> Brich die Treuhand ab, um sie zurückzubekommen, oder sende die Anfrage noch einmal.
order-held = <b>Die Credits sind noch hinterlegt.</b>
order-due = Ergebnis fällig bis { $at }.
order-due-after = Danach werden die Credits erstattet.
order-due-after-free = Danach läuft die Bestellung ab.
order-due-after-cancel = Danach wird die Bestellung storniert, und die Credits werden erstattet.
order-due-after-unpaid = Danach wird die Bestellung storniert.
order-review-by = Zu prüfen bis { $at }.
order-review-after = Danach wird das Ergebnis automatisch angenommen.
order-paused = Die Fristen pausieren. Ein Moderator entscheidet, wenn sich Käufer und Verkäufer nicht einigen.
order-split = @{ $name } bietet an, die Credits aufzuteilen: { $seller } für den Verkäufer, { $buyer } für den Käufer.
order-split-amount = Credits für den Verkäufer, weniger als { $credits }; den Rest bekommt der Käufer
order-waits-for = @{ $name } ist am Zug. Diese Seite aktualisiert sich von selbst.
order-waits-reload = Ohne JavaScript musst du sie neu laden, um Neues zu sehen.
order-wants-time = @{ $name } bittet um Zeit bis { $at }.
order-time-from-now = Zeit ab jetzt
order-more-time = Frist verlängern
order-cancel-escrow = Treuhand abbrechen
order-again = Noch einmal senden
order-request = Anfrage
order-no-input = Keine Eingabe.
order-progress = Fortschritt
order-partials = Teilergebnisse
order-partials-count =
    { $count ->
        [one] { $n } Teilergebnis
       *[other] { $n } Teilergebnisse
    }
order-partial = Teilergebnis { $n }
order-partials-none = Es gibt keine Teilergebnisse. Sie werden 7 Tage nach dem Ende der Bestellung gelöscht.
order-question = Frage des Verkäufers
order-answer = Deine Antwort
order-answer-send = Antwort senden
order-result = Ergebnis
order-result-number = Ergebnis, Lieferung { $n }
order-result-later = Das Ergebnis erscheint hier.
order-result-none = Es wurde kein Ergebnis geliefert.
order-note = Anmerkung des Verkäufers
order-reason = Grund
order-error = Was fehlgeschlagen ist
order-rated = Bewertet mit { $rating } von 5
order-rate = Bestellung bewerten
order-rating = Bewertung
order-review = Rezension (optional); Rezensionen sind öffentlich
order-review-add = Öffentliche Rezension hinzufügen
order-review-publish = Rezension veröffentlichen
order-review-delete = Rezension löschen
order-history = Verlauf
order-sample-offer = Als Beispiel vorschlagen
order-sample-offer-about = Zeige diese Anfrage und dieses Ergebnis öffentlich auf der Seite des Dienstes, ohne den Namen des Käufers. Er wird vorher gefragt, und nur einmal.
order-sample-preview = Vorschau
order-sample-asked = Der Verkäufer möchte diese Anfrage und das Ergebnis öffentlich auf der Seite des Dienstes zeigen
order-sample-asked-about = Alle könnten sie lesen, ohne deinen Namen. Du kannst deine Zustimmung jederzeit zurücknehmen. Lehnst du ab, kann der Verkäufer für diese Bestellung nicht noch einmal fragen.
order-sample-agree = Beispiel erlauben
order-sample-decline = Vorschlag ablehnen
order-sample-proposed = Du hast den Käufer gefragt, ob du diese Bestellung als Beispiel zeigen darfst. Bis er zustimmt, bleibt sie privat.
order-sample-agreed = Der Käufer hat zugestimmt: Die Seite des Dienstes zeigt diese Anfrage und dieses Ergebnis.
order-sample-declined = Der Käufer möchte nicht, dass diese Bestellung gezeigt wird.
order-sample-revoked = Der Käufer hat seine Zustimmung zurückgenommen. Diese Bestellung wird nicht mehr gezeigt.
order-sample-yours-agreed = Du hast zugestimmt: Die Seite des Dienstes zeigt diese Anfrage und dieses Ergebnis, ohne deinen Namen.
order-sample-yours-declined = Du hast abgelehnt, dass diese Bestellung gezeigt wird.
order-sample-yours-revoked = Du hast deine Zustimmung zurückgenommen. Diese Bestellung wird nicht mehr gezeigt.
order-sample-withdrawn = Der Vorschlag wurde zurückgezogen. Diese Bestellung wird nicht gezeigt und kann nicht noch einmal vorgeschlagen werden.
order-sample-withdraw = Vorschlag zurückziehen
order-sample-remove = Beispiel entfernen
order-sample-take-back = Zustimmung zurücknehmen

## Disputes

order-dispute = Streitfall
order-dispute-buyer = Käufer, { $at }
order-dispute-seller = Verkäufer, { $at }
order-dispute-waits = Der Verkäufer hat noch nicht Stellung genommen.
order-evidence = Belege
order-decide = Streitfall entscheiden
order-decide-release = Den Verkäufer @{ $name } bezahlen: Das Ergebnis entspricht der Bestellung
order-decide-refund = Dem Käufer @{ $name } erstatten: Das Ergebnis entspricht nicht der Bestellung
order-decide-split = Die Credits aufteilen: Das Ergebnis ist einen Teil des Preises wert
order-decide-amount = Wenn du aufteilst: Credits für den Verkäufer, weniger als { $credits }; den Rest bekommt der Käufer
order-decide-reason = Grund (beide Seiten sehen ihn)
order-decide-final = Das ist endgültig.
order-decision = Entscheidung
order-decided-release = Der Verkäufer wird bezahlt.
order-decided-refund = Der Käufer bekommt die Credits zurück.
order-decided-split = Die Credits werden aufgeteilt.
order-decided-else = Entschieden.
order-decided-by = Ein Moderator, { $at }

## What the parties can do

order-act-fund = Bestellung bezahlen
order-act-fund-effect = Die Credits werden hinterlegt, bis du das Ergebnis annimmst oder die Bestellung ohne Ergebnis endet.
order-act-deliver = Ergebnis liefern
order-act-deliver-effect = Der Käufer wird benachrichtigt und prüft das Ergebnis innerhalb der Prüffrist. Eine neue Lieferung ersetzt die letzte, und die Frist beginnt von vorn.
order-act-release = Ergebnis annehmen
order-act-release-effect = Der Verkäufer wird sofort bezahlt. Das lässt sich nicht rückgängig machen.
order-act-dispute = Ergebnis beanstanden
order-act-dispute-effect = Du weist das Ergebnis zurück. Die Fristen pausieren, der Verkäufer kann Stellung nehmen, und ein Moderator entscheidet, wer die Credits bekommt. Bis dahin kannst du noch annehmen, und der Verkäufer kann dir die Credits erstatten.
order-act-respond = Zum Streitfall Stellung nehmen
order-act-respond-effect = Moderatoren lesen deine Stellungnahme neben der des Käufers.
order-act-decline = Bestellung ablehnen
order-act-decline-effect = Die Bestellung endet, und der Käufer bekommt seine Credits sofort zurück. Das lässt sich nicht rückgängig machen.
order-act-cancel = Bestellung stornieren
order-act-cancel-effect = Die Bestellung endet, und du bekommst deine Credits sofort zurück. Vielleicht hat der Verkäufer schon mit der Arbeit begonnen. Das lässt sich nicht rückgängig machen.
order-act-refund = Credits erstatten
order-act-refund-effect = Die Bestellung endet, und der Käufer bekommt seine Credits sofort zurück. Das lässt sich nicht rückgängig machen.
order-act-end-unpaid-effect = Die Bestellung endet. Bezahlt war noch nichts. Das lässt sich nicht rückgängig machen.
order-act-offer-split = Aufteilung anbieten
order-act-offer-split-effect = Die andere Seite kann dein Angebot annehmen; bis dahin ändert sich nichts. Ein neues Angebot einer Seite ersetzt es, eine neue Lieferung hebt es auf.
order-act-split = Aufteilung annehmen
order-act-split-effect = Verkäufer und Käufer bekommen sofort ihren Teil, und die Bestellung ist abgeschlossen. Das lässt sich nicht rückgängig machen.

order-cancel-title = Diese Bestellung stornieren?
order-cancel-effect-free = Die Bestellung <b><bdi>{ $service }</bdi></b> bei @{ $seller } endet. Du kannst stornieren, bis der Verkäufer mit der Arbeit beginnt.
order-cancel-effect = Die Bestellung <b><bdi>{ $service }</bdi></b> bei @{ $seller } endet, und du bekommst { $credits } zurück. Du kannst stornieren, bis der Verkäufer mit der Arbeit beginnt.
order-decline-title = Diese Bestellung ablehnen?
order-decline-effect-free = Die Bestellung <b><bdi>{ $service }</bdi></b> von @{ $buyer } endet. Das lässt sich nicht rückgängig machen.
order-decline-effect = Die Bestellung <b><bdi>{ $service }</bdi></b> endet, und @{ $buyer } bekommt die Credits sofort zurück. Das lässt sich nicht rückgängig machen.
order-decline-reason = Grund (der Käufer sieht ihn)
order-decline-reason-missing = Gib einen Grund an
order-reason-optional = Grund (optional)
order-back = Zurück zur Bestellung

## Escrows

escrows-title = Treuhand
escrows-about = Die Treuhand hält die Credits einer Bestellung zurück, bis der Käufer das Ergebnis annimmt.
escrows-sides = Seiten
escrows-all = Alle
escrows-none = Keine Treuhandgeschäfte
escrows-none-about = Bestelle einen <a>Dienst</a> mit Treuhand, um erst nach deiner Prüfung zu bezahlen.
escrow-parties = @{ $buyer } kauft bei @{ $seller }
escrow-not-now = Das geht beim jetzigen Status nicht: { $status }.
escrow-type = Typ
escrow-type-text = Text
escrow-type-code = Code
escrow-type-json = JSON
escrow-type-csv = Tabelle (CSV)
escrow-type-html = HTML
escrow-type-svg = Bild (SVG)
escrow-more = Typ, Branch, Prüfsumme
escrow-text = Ergebnis, falls es Text ist (optional)
escrow-url = URL des Ergebnisses (optional)
escrow-branch = Branch (optional)
escrow-checksum = Prüfsumme, sha256:… (optional)
escrow-notes = Anmerkung für den Käufer (optional)
escrow-rating = Bewertung (öffentlich)
escrow-feedback = Privates Feedback an den Verkäufer (optional)
escrow-reason = Was am Ergebnis nicht stimmt
escrow-evidence = Belege, etwa Testprotokolle (optional)
escrow-response = Deine Stellungnahme
escrow-response-evidence = Belege (optional)

## Credits

credits-title = Credits
credits-test = Testmodus: Es wird kein echtes Geld bezahlt, und was hier gekauft wird, hat keinen Wert.
credits-added = Bezahlt: { $credits } gutgeschrieben.
credits-waiting = Warten auf Stripe. Sobald die Zahlung eintrifft, bekommst du { $credits }. <a>Noch einmal nachsehen</a>
credits-debt = Nach einer beanstandeten Zahlung schuldest du { $credits }. Solange die Schuld offen ist, kannst du nicht bestellen. Credits, die du kaufst oder verdienst, begleichen sie zuerst.
credits-available =
    { $count ->
        [one] Credit verfügbar.
       *[other] Credits verfügbar.
    }
credits-available-held =
    { $count ->
        [one] Credit verfügbar; <b>{ $held }</b> hinterlegt für <a>offene Bestellungen</a>.
       *[other] Credits verfügbar; <b>{ $held }</b> hinterlegt für <a>offene Bestellungen</a>.
    }
credits-about-bought = Mit Credits bezahlst du Dienste auf diesem Server und nirgends sonst. Du verdienst sie, indem du Dienste verkaufst; weitere kannst du unten kaufen.
credits-about-issued = Mit Credits bezahlst du Dienste auf diesem Server und nirgends sonst. Du verdienst sie, indem du Dienste verkaufst; weitere kann der Betreiber ausgeben.
credits-buy = Credits kaufen
credits-price = Ein Credit kostet { $price } { $currency }. Zurzeit kannst du noch { $left } ausgeben. Nicht ausgegebene Credits kannst du dir { $time } lang erstatten lassen.
credits-many = Wie viele
credits-limits = { $min } bis { $max } auf einmal. Du bezahlst bei Stripe.
credits-limit-reached = Du hast so viel gekauft, wie in 24 Stunden möglich ist. Versuch es später noch einmal.
credits-payments = Zahlungen
credits-payments-all = Alle Zahlungen
credits-for = { $credits } für { $money }
credits-for-account = für @{ $name }
credits-in-test = Test
credits-pay = Jetzt bezahlen
credits-receipt = Beleg
credits-give-back = { $credits } erstatten lassen
credits-state-chain = Die Blockchain hat noch nicht entschieden
credits-state-never = Die Token sind nie angekommen
credits-state-creating = Die Seite von Stripe wird vorbereitet
credits-state-open = Noch nicht bezahlt
credits-state-disputed = Bezahlt und beanstandet
credits-state-lost = Beanstandet und verloren: Das Geld ging zurück
credits-state-refunded = Erstattet
credits-state-refunded-part = Bezahlt und teilweise erstattet
credits-state-paid = Bezahlt
credits-state-expired = Nicht rechtzeitig bezahlt
credits-state-mismatch = Es wurde ein anderer Betrag bezahlt; der Betreiber geht dem nach
credits-state-unknown = Unbekannt

credits-transactions = Buchungen
credits-transactions-about = Deine Buchungen, die neuesten zuerst
credits-tab-all = Alle
credits-tab-held = Hinterlegt
credits-tab-settled = Verdient und erstattet
credits-tab-issued = Gutgeschrieben
credits-what = Was
credits-balance = Guthaben
credits-order = Bestellung
credits-none = Noch keine Buchungen.
credits-why-welcome = Willkommens-Credits
credits-why-issued = Gutgeschrieben
credits-why-held = Hinterlegt
credits-why-paid = Bezahlt
credits-why-held-refunded = Hinterlegt, dann erstattet
credits-why-held-part = Hinterlegt, dann teilweise bezahlt
credits-why-earned = Verdient
credits-why-forfeited = Verfallen
credits-why-bought = Gekauft
credits-why-refunded = Erstattet
credits-why-refund-failed = Zurückgebucht: Die Erstattung ist fehlgeschlagen
credits-why-claw = Zurückgenommen: Die Zahlung ist beanstandet oder erstattet
credits-why-won = Zurückgebucht: Die Beanstandung ist beendet
credits-why-debt = Auf deine Schuld angerechnet
credits-why-pass = Pass
credits-why-payout = Ausgezahlt
credits-why-payout-ended = Zurückgebucht: Die Auszahlung ist beendet
credits-why-else = Übertragung
