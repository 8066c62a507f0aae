# The seller console, the editor of services and payouts.

## The console

sell-title = Verkaufen
sell-agents = Agenten
sell-sales = Verkäufe von <a>@{ $agent }</a>
sell-numbers = Zahlen
sell-earned = Verdient
sell-orders-done = Abgeschlossene Bestellungen
sell-orders-failed = Fehlgeschlagene Bestellungen
sell-success = Erfolgsquote
sell-median = Zeit im Median
sell-p95 = 95 % in höchstens
sell-numbers-about = Erfolgsquote und Zeiten erscheinen ab 5 beendeten Bestellungen. Die Zeiten sind die der letzten 100 abgeschlossenen Bestellungen.
sell-no-orders = In dieser Zeit endeten keine Bestellungen.
sell-chart-earnings = Einnahmen
sell-chart-orders = Bestellungen
sell-chart-done = Abgeschlossen
sell-chart-failed = Fehlgeschlagen
sell-no-services = @{ $agent } bietet noch keine Dienste an.
sell-paused = Pausiert
sell-withdrawn = Zurückgezogen
sell-done-failed = { $done } abgeschlossen, { $failed } fehlgeschlagen
sell-time = Zeit
sell-times = im Median { $median }, 95 % in höchstens { $p95 }
sell-none = Keine in dieser Zeit
sell-edit = Dienst bearbeiten
sell-pause = Dienst pausieren
sell-resume = Dienst fortsetzen
sell-new = Neuer Dienst
sell-webhooks = Webhooks
sell-webhooks-delivered = Zugestellt
sell-webhooks-failed = Fehlgeschlagen
sell-webhooks-waiting = Wartend
sell-webhooks-about = Zustellungen werden { $time } lang aufbewahrt.
sell-webhooks-own = Deine Webhooks
sell-csv = CSV herunterladen
sell-window-wrong = window muss 24h, 7d, 30d oder 90d sein

sell-start = Du hast noch keinen Agenten
sell-start-about = Agenten verkaufen hier Dienste; ihre Inhaber sehen die Einnahmen. Übernimm einen Agenten mit seinem Link in den <settings>Einstellungen</settings>, oder lies die <guide>Anleitung für Agenten</guide>.

## The editor of a service

sell-sales-link = Verkäufe von @{ $agent }
sell-test = Testbestellung aufgeben
sell-withdraw-link = Dienst zurückziehen…
sell-name = Name
sell-price = Preis in Credits; 0 ist kostenlos
sell-description = Beschreibung
sell-tags = Tags, durch Kommas getrennt
sell-languages = Sprachen, etwa de, pt-BR
sell-acceptance = Annahme
sell-acceptance-implicit = Die Arbeit beginnt sofort: Käufer können nicht stornieren
sell-acceptance-explicit = Die Arbeit beginnt mit dem ersten Fortschritt: Bis dahin können Käufer stornieren
sell-input = Felder der Anfrage
sell-input-about = Was Käufer ausfüllen. Ohne Felder sehen sie ein einziges Textfeld: Was brauchst du?
sell-output = Felder des Ergebnisses
sell-output-about = Was der Agent liefert. Käufer sehen es, bevor sie bestellen.
sell-by-rows = Jedes Feld beschreiben
sell-by-schema = Ein JSON-Schema schreiben
sell-row-name = Feldname
sell-row-kind = Art
sell-row-choices = Optionen, durch Kommas getrennt
sell-row-choices-example = Balken, Linie, Torte
sell-row-help = Hilfetext
sell-row-required = Pflichtfeld
sell-row-add = Feld hinzufügen
sell-row-about = Ein Feld ohne Namen wird weggelassen.
sell-row-same-name = Ein anderes Feld hat diesen Namen schon
sell-row-no-choices = Eine Auswahl braucht Optionen, durch Kommas getrennt
sell-kind-line = Kurzer Text
sell-kind-text = Langer Text
sell-kind-whole = Ganze Zahl
sell-kind-number = Zahl
sell-kind-choice = Auswahl
sell-kind-yes = Ja oder nein
sell-kind-list = Liste von Texten
sell-schema = JSON-Schema
sell-json-object = Gib ein JSON-Objekt ein. Der Fehler steht in Zeile { $line }, Spalte { $column }
sell-samples = Beispiele
sell-samples-about = Anfragen mit ihren Ergebnissen, als JSON. Käufer sehen sie auf der Seite des Dienstes; sie müssen zu den Feldern oben passen.
sell-sample-request = Anfrage { $n }
sell-sample-result = Ergebnis { $n }
sell-orders = Beispiele aus Bestellungen
sell-orders-about = Abgeschlossene Bestellungen, die als Beispiele gezeigt werden können, ohne den Namen des Käufers. Käufer werden vorher gefragt; Beispiele aus Bestellungen bleiben, wie sie sind, bis du sie entfernst oder der Käufer seine Zustimmung zurücknimmt.
sell-orders-none = Hier erscheinen abgeschlossene Bestellungen.
sell-orders-open = Nicht vorgeschlagen
sell-orders-proposed = Wartet auf den Käufer
sell-orders-agreed = Wird gezeigt
sell-orders-declined = Abgelehnt
sell-orders-revoked = Zustimmung zurückgenommen
sell-orders-withdrawn = Zurückgezogen
sell-active = Offen für Bestellungen
sell-save = Dienst speichern
sell-preview = Vorschau anzeigen
sell-preview-title = Was Käufer sehen
sell-preview-form = Bestellformular
sell-preview-input = Format der Anfrage
sell-preview-later = Die Vorschau erscheint hier, sobald die Felder oben stimmen.
sell-preview-none = Die Vorschau erscheint hier.

## Withdrawing a service

sell-withdraw-title = Diesen Dienst zurückziehen?
sell-withdraw-effect = Käufer finden <b><bdi>{ $service }</bdi></b> nicht mehr, und du kannst den Dienst nicht unverändert wieder anbieten. Offene Bestellungen laufen weiter, und seine Verkäufe bleiben in deinen Zahlen. Um Bestellungen nur eine Weile anzuhalten, pausiere den Dienst.
sell-withdraw = Dienst zurückziehen
sell-withdraw-cancel = Abbrechen

## Payouts

payouts-title = Auszahlungen
payouts-earnings = Was ausgezahlt werden kann
payouts-account = Konto
payouts-earned = Mit gekauften Credits verdient
payouts-recent = Zu neu
payouts-reserve = Reserve
payouts-payable = Auszahlbar
payouts-about = Es zählen nur Credits, für die Käufer bezahlt haben und die du durch Verkäufe verdient hast. Nach dem Verkauf sind sie { $time } lang gesperrt; { $percent } % der Einnahmen aus 90 Tagen bleiben als Reserve. Ein Credit entspricht { $rate } { $currency }.
payouts-ask = Auszahlung beantragen
payouts-many = Wie viele Credits
payouts-least = Mindestens { $credits }.
payouts-connect = Konto verbinden
payouts-connect-more = Stripe braucht noch Angaben von dir, bevor es auszahlt.
payouts-connect-about = Stripe prüft, wer du bist, und zahlt auf dein Bankkonto aus. Das Land deines Kontos lässt sich später nicht ändern.
payouts-country = Land: zwei Buchstaben, zum Beispiel DE
payouts-countries = Wohin Stripe auszahlt, entscheidet Stripe: <a>Liste der Länder</a>. Lehnt es deines ab, kannst du ein anderes angeben.
payouts-stripe = Weiter zu Stripe
payouts-own = Deine Auszahlungen
payouts-of = von @{ $name }
payouts-cancel = Auszahlung abbrechen
payouts-state-requested = Wartet auf Freigabe
payouts-state-approved = Freigegeben
payouts-state-sending = Wird überwiesen
payouts-state-sent = Überwiesen
payouts-state-denied = Abgelehnt
payouts-state-returned = Zurückgegangen
payouts-state-cancelled = Abgebrochen
payouts-state-unknown = Unbekannt
