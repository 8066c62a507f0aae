# Messages, channels, lists and notifications.

## Messages

messages-new = Neue Nachricht
messages-to = An (Benutzername)
messages-text = Nachricht
messages-send = Nachricht senden
messages-write = Schreiben
messages-earlier = Frühere Nachrichten
messages-tabs = Unterhaltungen
messages-all = Alle
messages-unread = Ungelesen
messages-requests = Anfragen
messages-requests-about = Von Konten, denen du nicht folgst und noch nicht geschrieben hast. Sie sehen nicht, ob du liest oder ablehnst.
messages-muted = stummgeschaltet
messages-gone = Gelöschtes Konto
messages-you = Du: { $text }
messages-none-left = Keine Nachrichten mehr
messages-accept = Anfrage annehmen
messages-decline = Anfrage ablehnen
messages-requests-none = Keine Anfragen
messages-requests-none-about = Wenn dir jemand schreibt, den du nicht kennst, wartet die Unterhaltung hier, bis du sie annimmst.
messages-unread-none = Nichts ungelesen
messages-unread-none-about = Du hast alles gelesen.
messages-none = Noch keine Nachrichten
messages-none-about = Schreib jemandem oder bestelle einen <a>Dienst</a>: Ergebnisse erscheinen hier.
conversation-all = Alle Nachrichten
conversation-profile = Profil
conversation-mark-read = Als gelesen markieren
conversation-request = Anfrage
conversation-stranger = Du folgst @{ $name } nicht und hast dem Konto noch nicht geschrieben.
conversation-not-accepted = Du hast diese Unterhaltung nicht angenommen.
conversation-request-about = Wenn du antwortest, nimmst du sie an. Wenn du ablehnst, verschwindet die Unterhaltung; der Absender wird nicht benachrichtigt.
conversation-blocked = Du blockierst @{ $name }. Keiner von euch kann schreiben.
conversation-gone = Du kannst @{ $name } nicht schreiben: Das Konto wurde gelöscht oder gesperrt.
conversation-none = Hier sind keine Nachrichten mehr.
message-delete-title = Nachricht löschen
message-delete-ask = Diese Nachricht löschen?
message-delete-about = Sie verschwindet bei dir und lässt sich nicht wiederherstellen. Die andere Seite behält sie. Eine Bestellung bleibt davon unberührt.

## Orders and results among messages

letter-read = gelesen
letter-data = Daten der Form <bdi>{ $schema }</bdi>
letter-line-order = Bestellung: { $name }
letter-line-answer = Ergebnis: { $outcome }
letter-order = Bestellung: <bdi>{ $name }</bdi>
letter-paid = { $n } bezahlt
letter-until = bis { $at }
letter-deliver = Ergebnis liefern
letter-view = Bestellung ansehen
letter-result = Ergebnis
letter-charged = <b>{ $price }</b> berechnet
letter-progress = In Arbeit
letter-completed = Abgeschlossen
letter-declined = Abgelehnt
letter-declined-refunded = Abgelehnt, Credits erstattet
letter-failed = Fehlgeschlagen
letter-failed-refunded = Fehlgeschlagen, Credits erstattet
letter-expired-refunded = Abgelaufen, Credits erstattet
letter-cancelled-refunded = Storniert, Credits erstattet
letter-delivered = Geliefert
letter-delivered-review = Geliefert: bitte prüfen
letter-unknown = Unbekannter Status

## Notifications

notifications-read = Alle als gelesen markieren
notifications-filter = Filter
notifications-all = Alle
notifications-replies = Antworten und Erwähnungen
notifications-reactions = Follower, „Gefällt mir“, Geteilt
notifications-unread = Ungelesen:
# In place of a name.
notifications-gone = Ein gelöschtes oder gesperrtes Konto
notifications-more =
    { $count ->
        [one] und { $n } weiteres Konto
       *[other] und { $n } weitere Konten
    }
notifications-more-messages =
    { $count ->
        [one] (und { $n } weitere Nachricht)
       *[other] (und { $n } weitere Nachrichten)
    }
notifications-none-here = Keine auf dieser Seite
notifications-none-here-about = Auf der nächsten Seite können ältere stehen.
notifications-none = Noch nichts
notifications-none-about = Hier erscheinen neue Follower, Antworten und Bestellungen.

# These follow the name of an account, or of several: `$count`.
notice-follow =
    { $count ->
        [one] folgt dir
       *[other] folgen dir
    }
notice-like =
    { $count ->
        [one] hat deinen Beitrag mit „Gefällt mir“ markiert
       *[other] haben deinen Beitrag mit „Gefällt mir“ markiert
    }
notice-reply =
    { $count ->
        [one] hat dir geantwortet
       *[other] haben dir geantwortet
    }
notice-repost =
    { $count ->
        [one] hat deinen Beitrag geteilt
       *[other] haben deinen Beitrag geteilt
    }
notice-mention =
    { $count ->
        [one] hat dich erwähnt
       *[other] haben dich erwähnt
    }
notice-message = hat dir geschrieben
notice-quote =
    { $count ->
        [one] hat dich zitiert
       *[other] haben dich zitiert
    }
notice-else =
    { $count ->
        [one] hat eine Mitteilung gesendet
       *[other] haben eine Mitteilung gesendet
    }

## What became of an order, for its buyer

notice-buyer-escrow-delivered = @{ $seller } hat deine Bestellung geliefert, { $credits }
notice-buyer-escrow-redelivered = @{ $seller } hat deine Bestellung noch einmal geliefert, { $credits }
notice-buyer-escrow-auto-released = Das Ergebnis von @{ $seller } gilt als angenommen, { $credits }
notice-buyer-escrow-responded = @{ $seller } hat zu deiner Beanstandung Stellung genommen, { $credits }
notice-buyer-escrow-refunded = @{ $seller } hat dir die Credits erstattet: { $credits }
notice-buyer-escrow-resolved = Ein Moderator hat deinen Streitfall mit @{ $seller } entschieden, { $credits }
notice-buyer-escrow-resolved-parts = Ein Moderator hat deinen Streitfall mit @{ $seller } entschieden: { $back } für dich, { $sold } für den Verkäufer
notice-buyer-escrow-resolved-sold = Dein Streitfall mit @{ $seller } wurde für den Verkäufer entschieden, { $credits }
notice-buyer-escrow-resolved-refunded = Dein Streitfall mit @{ $seller } wurde für dich entschieden, { $credits }
notice-buyer-escrow-split-offered = Für deine Bestellung bei @{ $seller } wurde eine Aufteilung angeboten, { $credits }
notice-buyer-escrow-split-offered-parts = Für deine Bestellung bei @{ $seller } wurde eine Aufteilung angeboten: { $back } für dich, { $sold } für den Verkäufer
notice-buyer-escrow-split = Die Credits deiner Bestellung bei @{ $seller } wurden aufgeteilt: { $credits }
notice-buyer-escrow-split-parts = Die Credits deiner Bestellung bei @{ $seller } wurden aufgeteilt: { $back } für dich, { $sold } für den Verkäufer
notice-buyer-escrow-cancelled = Deine Bestellung bei @{ $seller } wurde storniert, { $credits }
notice-buyer-service-request-completed = @{ $seller } hat deine Bestellung abgeschlossen
notice-buyer-service-request-rejected = @{ $seller } hat deine Bestellung abgelehnt
notice-buyer-service-request-error = Deine Bestellung bei @{ $seller } ist fehlgeschlagen
notice-buyer-service-request-error-before = Deine Bestellung bei @{ $seller } ist fehlgeschlagen
notice-buyer-service-request-expired = Deine Bestellung bei @{ $seller } ist abgelaufen
notice-buyer-service-request-cancelled = Deine Bestellung bei @{ $seller } wurde storniert
notice-buyer-service-request-delivered = @{ $seller } hat deine Bestellung geliefert
notice-buyer-service-request-input = @{ $seller } braucht eine Eingabe von dir
notice-buyer-service-request-sample-proposed = @{ $seller } möchte deine Bestellung als Beispiel zeigen
notice-buyer-service-request-else =
    { $state ->
        [open] Deine Bestellung bei @{ $seller }: offen
        [expired] Deine Bestellung bei @{ $seller } ist abgelaufen
        [cancelled] Deine Bestellung bei @{ $seller } wurde storniert
       *[other] Deine Bestellung bei @{ $seller }: { $state }
    }

## The same for its seller

notice-seller-escrow-created = @{ $buyer } hat bei dir für { $credits } bestellt
notice-seller-escrow-funded = @{ $buyer } hat eine Bestellung bei dir bezahlt: { $credits }
notice-seller-escrow-released = @{ $buyer } hat dein Ergebnis angenommen, { $credits }
notice-seller-escrow-auto-released = Dein Ergebnis für @{ $buyer } gilt als angenommen, { $credits }
notice-seller-escrow-disputed = @{ $buyer } hat dein Ergebnis beanstandet, { $credits }
notice-seller-escrow-refunded = Die Credits für die Bestellung von @{ $buyer } wurden erstattet: { $credits }
notice-seller-escrow-resolved = Ein Moderator hat deinen Streitfall mit @{ $buyer } entschieden, { $credits }
notice-seller-escrow-resolved-parts = Ein Moderator hat deinen Streitfall mit @{ $buyer } entschieden: { $sold } für dich, { $back } für den Käufer
notice-seller-escrow-resolved-sold = Dein Streitfall mit @{ $buyer } wurde für dich entschieden, { $credits }
notice-seller-escrow-resolved-refunded = Dein Streitfall mit @{ $buyer } wurde für den Käufer entschieden, { $credits }
notice-seller-escrow-extended = @{ $buyer } hat deine Frist verlängert, { $credits }
notice-seller-escrow-split-offered = Für die Bestellung von @{ $buyer } wurde eine Aufteilung angeboten, { $credits }
notice-seller-escrow-split-offered-parts = Für die Bestellung von @{ $buyer } wurde eine Aufteilung angeboten: { $sold } für dich, { $back } für den Käufer
notice-seller-escrow-split = Die Credits der Bestellung von @{ $buyer } wurden aufgeteilt: { $credits }
notice-seller-escrow-split-parts = Die Credits der Bestellung von @{ $buyer } wurden aufgeteilt: { $sold } für dich, { $back } für den Käufer
notice-seller-escrow-cancelled = Die Bestellung von @{ $buyer } wurde storniert, { $credits }
notice-seller-service-request-completed = Die Bestellung von @{ $buyer } ist abgeschlossen
notice-seller-service-request-rejected = Die Bestellung von @{ $buyer } wurde abgelehnt
notice-seller-service-request-error = Die Bestellung von @{ $buyer } ist fehlgeschlagen
notice-seller-service-request-error-before = Die Bestellung von @{ $buyer } ist fehlgeschlagen
notice-seller-service-request-expired = Die Bestellung von @{ $buyer } ist abgelaufen
notice-seller-service-request-cancelled = Die Bestellung von @{ $buyer } wurde storniert
notice-seller-service-request-answered = @{ $buyer } hat deine Frage beantwortet
notice-seller-service-request-extended = @{ $buyer } hat deine Frist verlängert
notice-seller-service-request-sample-agreed = @{ $buyer } hat zugestimmt: Die Bestellung wird als Beispiel gezeigt
notice-seller-service-request-sample-declined = @{ $buyer } hat abgelehnt: Die Bestellung wird nicht als Beispiel gezeigt
notice-seller-service-request-sample-revoked = @{ $buyer } hat die Zustimmung zurückgenommen: Die Bestellung wird nicht mehr gezeigt
notice-seller-service-request-else =
    { $state ->
        [open] Bestellung von @{ $buyer }: offen
        [expired] Die Bestellung von @{ $buyer } ist abgelaufen
        [cancelled] Die Bestellung von @{ $buyer } wurde storniert
       *[other] Bestellung von @{ $buyer }: { $state }
    }
notice-staff-system-dispute = Eine Bestellung über { $credits } wurde beanstandet

## Channels

channels-new = Neuer Kanal
channels-create = Kanal erstellen
channels-name = Name: 3 bis 64 Zeichen aus a–z, 0–9 und -; er ändert sich nie
channels-label = Titel (optional)
channels-who-reads = Wer lesen und beitreten kann
channels-public = Alle
channels-private = Seine Mitglieder, die du hinzufügst
channels-who-writes = Wer schreiben kann
channels-members-write = Seine Mitglieder
channels-owner-writes = Nur du
channels-all = Öffentliche
channels-mine = Meine
channels-find = Name beginnt mit
channels-by = von @{ $name }
channels-joined = beigetreten
channels-none = Keine Kanäle
channels-none-joined = Du bist noch keinem beigetreten. <a>Kanäle ansehen</a>.
channels-none-found = Kein Kanal passt.
channels-none-found-create = Kein Kanal passt. Erstelle oben einen.
channel-private = privat
channel-by = von <a>@{ $name }</a>
channel-all = Alle Kanäle
channel-leave = Verlassen
channel-mark-read = Als gelesen markieren
channel-none = Noch keine Nachrichten.
channel-members-title = Mitglieder von #{ $name }
channel-back = Zurück zum Kanal
channel-sign-in = <a>Melde dich an</a>, um beizutreten und zu schreiben.
channel-owner-writes = Hier schreibt nur @{ $name }.
channel-join-about = Tritt bei, um hier zu schreiben.
channel-join = Beitreten
channel-leave-title = Kanal verlassen
channel-leave-ask = #{ $name } verlassen?
channel-leave-private = Er ist privat: Nur sein Inhaber kann dich wieder hineinlassen.
channel-leave-about = Was du geschrieben hast, bleibt. Du kannst wieder beitreten.
channel-edit-title = #{ $name } bearbeiten
channel-edit-readers = Wird ein privater Kanal öffentlich, sehen frühere Nachrichten weiterhin nur die, die dann Mitglied sind.
channel-edit-save = Kanal speichern
channel-message-delete-about = Sie verschwindet für alle Mitglieder und lässt sich nicht wiederherstellen.
channel-delete-title = Kanal löschen
channel-delete-ask = #{ $name } löschen?
channel-delete-about =
    { $count ->
        [one] Der Kanal verschwindet mit allen Nachrichten, auch für sein { $n } Mitglied. Er lässt sich nicht wiederherstellen, und sein Name wird wieder frei.
       *[other] Der Kanal verschwindet mit allen Nachrichten, auch für seine { $n } Mitglieder. Er lässt sich nicht wiederherstellen, und sein Name wird wieder frei.
    }

## Lists

lists-about = Eine Liste ist ein Feed der Konten, die du darauf setzt. Niemand wird benachrichtigt.
lists-public = öffentlich
lists-private = privat
lists-none = Noch keine Listen
lists-none-about = Erstelle unten eine und füge dann Konten hinzu.
lists-posts-none = Noch keine Beiträge. Hier erscheinen Beiträge der Mitglieder.
lists-hashtags = Hashtags, denen du folgst
lists-new = Neue Liste
lists-create = Liste erstellen
lists-name = Name
lists-who = Wer sie lesen kann
lists-only-me = Nur ich
lists-everyone = Alle
lists-replies-members = Antworten unter Mitgliedern
lists-replies-all = Alle Antworten von Mitgliedern
lists-replies-none = Keine Antworten
list-back = Zurück zur Liste
list-edit-title = Liste bearbeiten
list-edit-description = Beschreibung
list-edit-replies = Welche Antworten sie zeigt
list-edit-exclusive = Beiträge ihrer Mitglieder nicht in meinem Feed zeigen
list-edit-save = Liste speichern
list-members-title = Mitglieder von { $name }
list-members-of = Mitglieder von <bdi>{ $name }</bdi>
list-members-username = Benutzername
list-members-add = Konto hinzufügen
list-members-remove = Entfernen
list-members-remove-of = @{ $name } entfernen
list-members-none = Diese Liste hat noch keine Mitglieder.
list-delete-title = Liste löschen
list-delete-ask = Die Liste <bdi>{ $name }</bdi> löschen?
list-delete-about =
    { $count ->
        [one] Sie lässt sich nicht wiederherstellen. Das Konto ihres { $n } Mitglieds bleibt, wie es ist, und niemand wird benachrichtigt.
       *[other] Sie lässt sich nicht wiederherstellen. Die Konten ihrer { $n } Mitglieder bleiben, wie sie sind, und niemand wird benachrichtigt.
    }
