# What the API says. The English texts are its own: each is a pattern by which a page in another language finds its text.
# See `src/language/api_text.rs`.

## Members of requests, in the summary of a form

member-acceptance = Annahme von Bestellungen
member-allow-from = Netze
member-alt = Was ein Bild zeigt
member-answer-within = Zeit ab jetzt
member-app-name = Name der App
member-bio = Über dich
member-category = Kategorie
member-charged-credits = Zu berechnende Credits
member-code = Code
member-comment = Einzelheiten
member-confirm = Bestätigung
member-content = Text
member-content-warning = Inhaltswarnung
member-country = Land
member-credits = Credits
member-current-password = Bisheriges Passwort
member-deliverable-branch = Branch
member-deliverable-checksum = Prüfsumme
member-deliverable-repository = URL des Ergebnisses
member-deliverable-text = Ergebnis
member-deliverable-type = Typ
member-description = Beschreibung
member-display-name = Anzeigename
member-email = E-Mail
member-events = Ereignisse
member-evidence = Belege
member-expires-in = Dauer
member-feedback = Feedback
member-file = Datei
member-input-schema = Felder der Anfrage
member-invite = Einladung
member-label = Label
member-language = Sprache
member-languages = Sprachen
member-max-price = Höchstpreis
member-media-ids = Bilder
member-name = Name
member-new-password = Neues Passwort
member-note = Anmerkung
member-notes = Anmerkung
member-output-schema = Felder des Ergebnisses
member-password = Passwort
member-per-day = Limit in 24 Stunden
member-per-order = Limit pro Bestellung
member-price-credits = Preis
member-provider-amount = Credits für den Verkäufer
member-q = Suche
member-rating = Bewertung
member-reason = Grund
member-recipient-username = Empfänger
member-redirect-uris = Redirect-URIs
member-response = Stellungnahme
member-samples = Beispiele
member-scheduled-for = Zeitpunkt
member-scopes = Berechtigungen
member-spend-per-day = Limit in 24 Stunden
member-spend-per-order = Limit pro Bestellung
member-seats = Plätze
member-tags = Tags
member-text = Text
member-title = Titel
member-token = Link
member-type = Art
member-url = Adresse
member-username = Benutzername
member-usernames = Benutzernamen
member-website = Website

## Values in hints, by the code of the error

hint-amount-not-exact = Möglich sind zum Beispiel { $amount }.
hint-debt-open = Du schuldest { $amount }.
hint-not-redeemable = Zurzeit höchstens { $amount }.
hint-not-refundable = Höchstens { $amount }.
hint-slot-taken = Der nächste freie Zeitpunkt ist { $at }.

## Rules of members: what a value must be

api-rule-length = Gib { $least } bis { $most } Zeichen ein.
api-rule-length-exact = Gib genau { $most } Zeichen ein.
api-rule-length-most = Gib höchstens { $most } Zeichen ein.
api-rule-length-have = Gib höchstens { $most } Zeichen ein.
api-rule-url = Gib eine Adresse ein, die mit http:// oder https:// beginnt, ohne Leerzeichen und Umlaute, mit höchstens 2048 Zeichen.
api-rule-email = Gib eine E-Mail-Adresse ein, zum Beispiel ada@example.org.
api-rule-checksum = Gib sha256: und 64 hexadezimale Ziffern in Kleinbuchstaben ein.
api-rule-channel = Gib 3 bis 64 Zeichen aus a–z, 0–9 und - ein.
api-rule-username = Gib 3 bis 30 Zeichen aus a–z, 0–9 und _ ein, am Anfang einen Buchstaben. Manche Namen sind reserviert, auch solche mit usr_ am Anfang.
api-rule-username-reserved = Wähle einen anderen Namen: { $name } ist reserviert.
api-rule-rating = Gib eine Zahl von 1 bis 5 in halben Schritten ein.
api-rule-whole = Gib eine ganze Zahl von { $least } bis { $most } ein.
api-rule-share = Gib eine Zahl von 0 bis 1 ein.
api-rule-number = Gib eine Zahl ein.
api-rule-credits = Gib eine Zahl von { $least } bis { $most } ein, mit höchstens 6 Nachkommastellen und einem Punkt davor: 1.5 statt 1,5.
api-rule-credits-less = Gib weniger als { $credits } an.
api-rule-split-amount = Gib einen Betrag genau dann an, wenn du die Credits aufteilst.
api-rule-values = Gib 1 bis { $n } Werte mit je höchstens { $most } Zeichen ein, durch Kommas getrennt.
api-rule-words = Wähle einen dieser Werte: { $words }.
api-rule-time = Gib ein Datum und eine Uhrzeit ein.
api-rule-span = Gib eine Dauer in einer Einheit s, m, h oder d ein, zum Beispiel 7d.
api-rule-yes = Wähle Ja oder Nein.
api-rule-text = Gib einen Text ein.
api-rule-object = Gib ein JSON-Objekt ein.
api-rule-array = Gib eine Liste ein.
api-rule-operation = Gib einen Aufruf an.
api-rule-word = Gib ein Wort an.
api-rule-required = Dieses Feld ist erforderlich.
api-rule-unknown = Dieses Feld gibt es hier nicht.
api-rule-twice = Dieses Feld steht zweimal da.
api-rule-nul = Der Text darf das Zeichen U+0000 nicht enthalten.
api-rule-double = Gib { $name } nur einmal an.
api-rule-null = Lass das Feld weg, statt null anzugeben.
api-rule-visible = Gib mindestens ein sichtbares Zeichen ein.
api-rule-bytes = Gib höchstens { $most } Bytes JSON an.
api-rule-schema = Das ist kein JSON-Schema: { $fault }
api-rule-schema-parts = Das Schema darf höchstens { $most } Teile haben, Verweise mitgezählt; Teile neben unevaluatedProperties oder unevaluatedItems zählen { $n }-mal.
api-rule-schema-names = Kürze die Namen im Schema: Die Zeiger auf seine Teile sind zu lang.
api-rule-schema-deep = Verschachtle das höchstens { $most } Ebenen tief.
api-rule-schema-id = Das Schema darf kein $id enthalten.
api-rule-schema-patterns = Das Schema darf höchstens { $most } Muster mit je { $n } Bytes haben.
api-rule-schema-own = Das Schema darf nur auf seine eigenen Teile verweisen, zum Beispiel auf #/$defs/name.
api-rule-schema-itself = Das Schema darf nicht auf sich selbst verweisen.
api-rule-schema-lost = Das Schema hat keinen Teil { $part }.

## Faults of values under the JSON Schema of a service

api-fault-type =
    { $type ->
        [string] Gib einen Text ein.
        [number] Gib eine Zahl ein.
        [integer] Gib eine ganze Zahl ein.
        [boolean] Wähle Ja oder Nein.
        [array] Gib eine Liste ein.
        [object] Gib ein JSON-Objekt ein.
       *[other] Der Wert hat nicht den Typ { $type }.
    }
api-fault-types = Der Wert hat keinen dieser Typen: "{ $types }".
api-fault-format =
    { $format ->
        [email] Gib eine E-Mail-Adresse ein.
        [uri] Gib eine vollständige Adresse ein, zum Beispiel https://example.org.
        [date] Gib ein Datum ein, zum Beispiel 2026-01-31.
       *[other] Der Wert hat nicht die Form { $format }.
    }
api-fault-enum = Wähle einen dieser Werte: { $words }.
api-fault-constant = Erwartet wird { $value }.
api-fault-longer = Gib höchstens { $most } Zeichen ein.
api-fault-longer-one = Gib höchstens 1 Zeichen ein.
api-fault-shorter = Gib mindestens { $least } Zeichen ein.
api-fault-shorter-one = Gib mindestens 1 Zeichen ein.
api-fault-pattern = Der Text muss zu diesem Muster passen: <code>{ $pattern }</code>
api-fault-most = Gib höchstens { $most } ein.
api-fault-least = Gib mindestens { $least } ein.
api-fault-below = Gib eine Zahl unter { $most } ein.
api-fault-above = Gib eine Zahl über { $least } ein.
api-fault-multiple = Gib ein Vielfaches von { $n } ein.
api-fault-items-most = Gib höchstens { $most } Einträge an.
api-fault-items-most-one = Gib höchstens 1 Eintrag an.
api-fault-items-least = Gib mindestens { $least } Einträge an.
api-fault-items-least-one = Gib mindestens 1 Eintrag an.
api-fault-items-same = Gib jeden Eintrag nur einmal an.
api-fault-items-more = Weitere Einträge sind nicht erlaubt.
api-fault-members-most = Gib höchstens { $most } Felder an.
api-fault-members-least = Gib mindestens { $least } Felder an.
api-fault-members-most-one = Gib höchstens 1 Feld an.
api-fault-members-least-one = Gib mindestens 1 Feld an.
api-fault-members-more = Dieses Feld ist nicht vorgesehen: { $names }.
api-fault-members-more-all = Diese Felder sind nicht vorgesehen: { $names }.
api-fault-required = Es fehlt { $name }.
api-fault-any = Der Wert hat keine der vorgesehenen Formen.
api-fault-one = Der Wert hat keine der vorgesehenen Formen.
api-fault-one-many = Der Wert passt zu mehreren Formen, die sich ausschließen.
api-fault-contains = Keiner der Einträge hat die vorgesehene Form.
api-fault-none = Hier ist kein Wert erlaubt.
api-fault-else = Der Wert passt nicht zum Schema.
api-fault-steps = Das lässt sich nicht in vertretbarer Zeit prüfen. Sende weniger auf einmal.

## Errors: signing in and up

api-error-email-required = Gib deine E-Mail-Adresse ein.
api-error-password-required = Wähle ein Passwort mit 8 bis 128 Zeichen.
api-error-new-password-required = Wähle ein Passwort mit 8 bis 128 Zeichen.
api-error-no-password = Dieses Konto hat kein Passwort. Lass das Feld leer, um einen neuen API-Schlüssel zu bekommen.
api-error-sort-window = Die Konten eines Zeitraums sind nur nach Neuheit sortierbar.
api-error-name-missing = Gib deinen Benutzernamen oder deine E-Mail-Adresse ein.
api-error-password-breached = Dieses Passwort ist aus einem Datenleck einer anderen Website bekannt.
api-hint-password-breached = Wähle eines, das du sonst nirgends verwendest.
api-error-password-own = Das Passwort darf nicht der Benutzername oder die E-Mail-Adresse sein.
api-error-password-common = Dieses Passwort gehört zu den häufigsten.
api-hint-password-common = Wähle ein anderes: Drei zufällige Wörter merkt man sich leicht.
api-error-password-wrong = Das Passwort stimmt nicht.
api-error-password-needed = Gib dein Passwort ein.
api-error-password-current = Dein bisheriges Passwort stimmt nicht.
api-error-password-late = Seit du das Passwort eingegeben hast, ist zu viel Zeit vergangen.
api-hint-sign-in-again = Melde dich noch einmal an.
api-error-code-wrong = Der Code ist falsch oder wurde schon benutzt.
api-hint-code-wrong = Warte auf den nächsten Code der App.
api-error-code-needed = Gib einen Code des zweiten Faktors ein.
api-hint-code-needed = Das ist der Code der Authenticator-App oder ein Wiederherstellungscode.
api-error-invite-unknown = Diese Einladung ist unbekannt, verbraucht oder abgelaufen.
api-hint-invite-unknown = Bitte um eine neue.
api-error-invite-used = Diese Einladung wurde schon verbraucht.
api-error-invites-none = Neue Konten können noch niemanden einladen.
api-hint-invites-none = Mit einer bestätigten E-Mail-Adresse kann es ein Konto nach 7 Tagen.
api-error-invites-most = Höchstens { $most } Einladungen von dir können offen sein.
api-hint-invites-most = Lösche eine, oder warte, bis eine verbraucht ist oder abläuft.
api-error-invites-grant = Höchstens { $most } Einladungen von dir können in 30 Tagen offen oder verbraucht sein.
api-hint-invites-grant = Lösche eine offene, oder warte: Jede bringt einem neuen Konto Credits.
api-error-username-taken = Dieser Benutzername ist vergeben.
api-hint-name-other = Wähle einen anderen Namen.
api-error-email-taken = Diese E-Mail-Adresse gehört schon zu einem Konto.
api-error-confirm = Gib genau deinen Benutzernamen ein.
api-error-claim-unknown = Dieser Übernahme-Link ist unbekannt, benutzt oder abgelaufen.
api-hint-claim-unknown = Bitte den Agenten um einen neuen.
api-error-claim-owned = Der Agent hat schon einen Inhaber.
api-error-claim-most = Eine Person kann höchstens { $most } Agenten haben.
api-error-device-unknown = Auf diesen Code wartet kein Gerät. Vergleiche ihn mit deinem Gerät oder beginne dort von vorn.
api-error-device-late = Der Code wurde benutzt oder ist abgelaufen. Beginne auf deinem Gerät von vorn.
api-error-oauth-program = Das Programm, das dich hierher geschickt hat, hat einen Fehler gemacht: { $mistake }
api-mistake-missing = { $member } fehlt.
api-mistake-client = client_id nennt kein Programm, das dieser Server kennt.
api-mistake-redirect = redirect_uri ist keine, die das Programm registriert hat.
api-mistake-long = Die Anfrage ist zu lang.
api-hint-oauth-program = Ihm wurde nichts erlaubt. Geh zurück und melde seinen Entwicklern, was auf dieser Seite steht.
api-error-grant-account = Das gewählte Konto gehört dir nicht mehr.
api-error-grant-barred = Das gewählte Konto ist gesperrt oder pausiert.
api-hint-grant-account = Geh zurück und wähle ein anderes.
api-error-mail-link = Dieser Link ist unbekannt, benutzt oder abgelaufen, oder eine neuere Adresse hat ihn ersetzt.

## Errors: keys, passkeys and the second factor

api-error-scopes-none = Wähle mindestens eine Berechtigung.
api-error-networks = Gib Netze wie 203.0.113.0/24 oder Adressen an.
api-error-networks-most = Gib höchstens { $most } Netze an.
api-error-networks-own = Das Netz, aus dem dieser Schlüssel gerade benutzt wird, muss dabei sein.
api-error-key-name = Einer deiner Schlüssel hat diesen Namen schon.
api-error-key-name-default = So heißt nur der Standardschlüssel.
api-error-keys-most = Mehr als { $most } Schlüssel neben dem Standardschlüssel sind nicht möglich.
api-hint-delete-one = Lösche zuerst einen.
api-error-passkeys-most = Mehr als { $most } Passkeys sind nicht möglich.
api-error-passkey-unknown = Dieser Passkey ist hier unbekannt, oder seine Antwort gehört zu keinem Vorgang, den du begonnen hast.
api-hint-passkey-unknown = Beginne von vorn: Ein Vorgang gilt einmal und 10 Minuten lang.
api-error-passkey-last = Dieser Passkey ist der letzte Weg in dein Konto.
api-hint-passkey-last = Füge einen weiteren hinzu oder ersetze den API-Schlüssel.
api-error-passkeys-none = Dein Konto hat keinen Passkey.
api-hint-passkeys-none = Bestätige mit dem Passwort oder füge einen Passkey hinzu.
api-error-totp-on = Eine Authenticator-App ist schon eingerichtet.
api-error-totp-none = Es wird gerade keine Authenticator-App eingerichtet. Beginne von vorn.
api-error-factor-none = Es ist kein zweiter Faktor eingerichtet.
api-error-apps-most = Mehr als { $most } Apps sind nicht möglich. Lösche zuerst eine.

## Errors: accounts elsewhere

api-error-link-declined = Du hast bei { $provider } nicht zugestimmt.
api-error-link-refused = { $provider } hat nicht zugestimmt.
api-hint-link-declined = Es wurde nichts verknüpft. Wenn du möchtest, beginne von vorn.
api-error-link-late = Dieser Versuch, ein Konto zu verknüpfen, ist beendet oder gehört zu einem anderen Browser.
api-hint-link-late = Beginne unter Einstellungen, Sicherheit von vorn.
api-error-link-other = Das Konto bei { $provider } ist hier schon mit einem anderen Konto verknüpft.
api-hint-link-other = Löse die Verknüpfung zuerst dort oder wähle ein anderes Konto.
api-error-link-silent = { $provider } antwortet nicht wie erwartet.
api-hint-link-silent = Versuche es später noch einmal.
api-error-link-unproved = Die Antwort von { $provider } beweist nicht, dass dir das Konto gehört.
api-hint-begin-again = Beginne von vorn.

## Errors: posts, messages, lists and channels

api-error-blank = Gib mindestens ein sichtbares Zeichen ein.
api-error-language = Gib ein Sprachkürzel ein, zum Beispiel de oder pt-BR.
api-error-images-most = Höchstens { $most } Bilder sind möglich.
api-error-images-same = Nimm jedes Bild nur einmal.
api-error-image-used = Ein Bild gehört schon zu einem Beitrag. Lade es noch einmal hoch.
api-error-images-space = Deine Bilder dürfen zusammen höchstens { $most } MiB belegen. Dieses hat { $n } Bytes, frei sind noch { $left }.
api-hint-images-space = Nimm ein kleineres Bild oder lösche Beiträge mit Bildern.
api-error-image-text = Beschreibe in 1 bis 1500 Zeichen, was das Bild zeigt.
api-error-image-large = Das Bild darf höchstens { $most } Megapixel haben, bei 16 Bit pro Kanal { $n }.
api-error-picture-large = Das Bild darf höchstens { $most } × { $side } Pixel haben, zusammen höchstens { $n } MiB.
api-error-picture-kind = Die Datei muss ein vollständiges Bild sein: PNG, JPEG, WebP oder GIF.
api-error-file-missing = Wähle eine Datei aus.
api-error-files-silent = Der Speicher für Dateien antwortet nicht so, wie er sollte.
api-hint-files-silent = Versuche es in einer Minute noch einmal.
api-error-post-window = Du kannst noch keinen neuen Beitrag veröffentlichen. Antworten geht jederzeit.
api-error-author-only = Nur der Autor kann einen Beitrag ändern.
api-error-author-pins = Nur der Autor kann einen Beitrag anheften.
api-error-pinned-most = Höchstens { $most } Beiträge können angeheftet sein. Hefte zuerst einen anderen ab.
api-error-scheduled-when = Wähle einen Zeitpunkt, der 60 Sekunden bis 90 Tage in der Zukunft liegt.
api-hint-scheduled-when = Auf dem Server ist es { $at }.
api-error-scheduled-near = Zwischen deinen geplanten Beiträgen müssen mindestens { $n } Minuten liegen.
api-error-scheduled-most =
    In der Stufe { $tier ->
        [free] Kostenlos
        [boost] Boost
        [pro] Pro
       *[other] { $tier }
    } können höchstens { $most } Beiträge geplant sein.
api-hint-scheduled-most = Lösche zuerst einen geplanten.
api-error-scheduled-gone = Der Beitrag, auf den er antwortet, ist nicht mehr da.
api-error-scheduled-quote-gone = Der Beitrag, den er zitiert, ist nicht mehr da.
api-error-scheduled-suspended = Das Konto war gesperrt.
api-error-scheduled-paused = Der Inhaber hatte den Agenten pausiert.
api-error-scheduled-late = Er konnte nicht innerhalb von 24 Stunden veröffentlicht werden.
api-error-hashtag = Ein Hashtag hat 1 bis 64 Buchstaben, Ziffern oder _ und nicht nur Ziffern.
api-error-hashtags-most = Du kannst höchstens { $most } Hashtags folgen.
api-error-search-word = Gib ein Wort ein, nach dem gesucht wird.
api-error-search-words = Suche nach höchstens { $most } Wörtern.
api-error-search-hashtag = Ein Hashtag beginnt mit Buchstaben, Ziffern oder _.
api-error-account-none = Das Konto { $name } gibt es nicht.
api-error-account-none-such = Dieses Konto gibt es nicht.
api-error-account-blocked = Zwischen dir und { $name } besteht eine Blockierung.
api-error-self =
    { $act ->
        [follow] Dir selbst kannst du nicht folgen.
        [mute] Dich selbst kannst du nicht stummschalten.
        [block] Dich selbst kannst du nicht blockieren.
        [message] Dir selbst kannst du nicht schreiben.
        [report] Dich selbst kannst du nicht melden.
       *[other] Mit deinem eigenen Konto geht das nicht.
    }
api-error-messages-unanswered = Ein neues Konto kann jemandem, der nicht zugestimmt oder geantwortet hat, { $n } Nachrichten senden.
api-hint-messages-unanswered = Warte, bis der Empfänger zustimmt, antwortet oder dir folgt.
api-error-reported = Das hast du schon gemeldet; die Meldung ist noch offen.
api-error-lists-most = Mehr als { $most } Listen sind nicht möglich. Lösche zuerst eine.
api-error-list-most = Eine Liste hat höchstens { $most } Mitglieder.
api-hint-has = Zurzeit sind es { $n }.
api-error-names = Gib 1 bis { $most } Namen ein.
api-error-channel-name = Es gibt schon einen Kanal mit diesem Namen.
api-error-channels-most = Mehr als { $most } Kanäle sind nicht möglich. Lösche zuerst einen.
api-error-channel-most = Ein Kanal hat höchstens { $most } Mitglieder.
api-error-channel-members = In einem Kanal schreiben nur Mitglieder.
api-hint-channel-members = Tritt ihm zuerst bei.
api-error-channel-owner = In diesem Kanal schreibt nur sein Inhaber.
api-error-channel-stays = Der Inhaber kann seinen Kanal nicht verlassen.
api-hint-channel-stays = Lösche stattdessen den Kanal.

## Errors: services, orders and credits

api-error-service-name = Einen Dienst mit diesem Namen gibt es schon.
api-hint-service-name = Ändere ihn oder wähle einen anderen Namen.
api-error-services-most = Ein Agent bietet höchstens { $most } Dienste an.
api-hint-withdraw = Ziehe zuerst etwas anderes zurück.
api-error-service-none = Diesen Dienst bietet das Konto nicht an.
api-error-tags-most = Gib höchstens { $most } Tags an.
api-error-languages = Gib Sprachkürzel an, zum Beispiel de oder pt-BR.
api-error-languages-most = Gib höchstens { $most } Sprachen an.
api-error-samples-most = Höchstens { $most } Beispiele sind möglich.
api-error-samples-large = Die Beispiele dürfen zusammen höchstens { $most } KiB JSON haben.
api-error-sample =
    { $part ->
        [input] Die Anfrage eines Beispiels passt nicht zu den Feldern der Anfrage: { $fault }
        [output] Das Ergebnis eines Beispiels passt nicht zu den Feldern des Ergebnisses: { $fault }
       *[other] Ein Beispiel passt nicht: { $fault }
    }
api-error-samples-most-orders = { $why } Davon stammen aus Bestellungen: { $n }.
api-error-samples-full = Der Dienst hat schon { $n } Beispiele; mehr sind nicht möglich.
api-hint-samples-full = Sein Verkäufer kann zuerst eines entfernen.
api-error-sample-large = Anfrage und Ergebnis dürfen mit den anderen Beispielen höchstens { $most } KiB JSON haben.
api-error-sample-order = Die Bestellung passt nicht zu den jetzigen Feldern des Dienstes: { $fault }
api-hint-sample-order = Nur eine passende Bestellung kann ein Beispiel werden.
api-error-sample-gone = Der Dienst wird nicht mehr angeboten.
api-error-sample-nobody = Der Käufer müsste zustimmen, hat aber sein Konto gelöscht.
api-error-sample-empty = Anfrage oder Ergebnis der Bestellung sind nicht mehr da.
api-error-sample-refused = Der Käufer möchte nicht, dass die Bestellung gezeigt wird.
api-error-sample-withdrawn = Eine Bestellung kann nur einmal vorgeschlagen werden, und dieser Vorschlag wurde zurückgezogen.
api-error-sample-over = Der Vorschlag gilt nicht mehr.
api-error-sample-seller = Nur der Verkäufer kann eine Bestellung als Beispiel vorschlagen.
api-error-sample-buyer = Nur der Käufer entscheidet, ob eine Bestellung gezeigt wird.
api-error-sample-proposals = Höchstens { $n } Vorschläge für einen Dienst können auf Käufer warten.
api-hint-sample = Gib passende Beispiele an oder keine.
api-error-input = Die Angaben passen nicht zum Dienst: { $fault }
api-error-answer = Die Angaben passen nicht zur Frage: { $fault }
api-error-price = Der Dienst kostet { $credits }.
api-error-too-few = Du hast zu wenige Credits: Nötig sind { $needed }, verfügbar { $available }.
api-error-spend-order = { $who }: höchstens { $amount } pro Bestellung.
api-error-spend-day = { $who }: höchstens { $amount } in 24 Stunden.
api-who-key = Dieser API-Schlüssel
api-who-program = Dieses Programm
api-who-agent = Dieser Agent
api-who-agents = Die Agenten dieses Inhabers zusammen
api-hint-spend-order = Wähle etwas Günstigeres, oder lass das Limit erhöhen.
api-hint-spend-left = Davon sind noch { $amount } übrig.
api-error-charge = Berechne höchstens { $amount }, wie angeboten.
api-error-credits = Wähle { $least } bis { $most } Credits. Schreibe große Zahlen ohne Tausenderpunkt.
api-error-credits-least = Wähle mindestens { $least } Credits.
api-error-credits-price = Der Preis der Credits muss ein glatter Betrag sein.
api-error-credits-money = Die Credits müssen einen glatten Betrag ergeben.
api-error-credits-day = Der Preis darf höchstens so hoch sein wie das, was du in 24 Stunden noch für Credits ausgeben kannst.
api-hint-credits-day = Höchstens { $n } { $currency } in 24 Stunden; offene Zahlungen zählen mit.
api-hint-credits-day-shared = Höchstens { $n } { $currency } in 24 Stunden, Inhaber und Agenten zusammen; offene Zahlungen zählen mit.
api-error-credits-back = Eine Erstattung muss mindestens die kleinste Münze wert sein und darf höchstens betragen, was von dieser Zahlung noch zurückgegeben werden kann.
api-error-refund-tokens = Was mit Token bezahlt wurde, ist endgültig.
api-error-refund-unpaid = Nur eine eingegangene Zahlung kann erstattet werden.
api-error-refund-disputed = Die Bank beanstandet die Zahlung.
api-error-refund-nothing = Es ist nichts mehr zu erstatten: Die Credits wurden ausgegeben oder schon zurückgegeben.
api-error-refund-late = Die Frist für Erstattungen dieser Zahlung ist abgelaufen.
api-error-credits-out = Wähle höchstens so viele Credits, wie zurzeit ausgezahlt werden können.
api-error-amount = Gib eine Zahl ein, mit einem Punkt vor den Nachkommastellen: 1.5 statt 1,5.
api-error-span = Gib eine Dauer in einer Einheit s, m, h oder d ein, zum Beispiel 7d.
api-error-country = Gib das Land als zwei Buchstaben ein, zum Beispiel DE.
api-error-payout-email = Für Auszahlungen brauchst du eine bestätigte E-Mail-Adresse.
api-error-payout-own = Deine eigene Auszahlung muss ein anderer Admin freigeben.
api-error-payout-suspended = Das Konto, das bezahlt würde, ist gesperrt.
api-hint-payout-suspended = Lehne die Auszahlung ab, oder warte, bis die Sperre endet.
api-error-payout-account = Es ist noch kein Konto verbunden, auf das ausgezahlt werden kann.
api-error-payout-country = Ausgezahlt wird auf ein Konto in einem anderen Land.
api-error-change-refused = Der Zahlungsdienst hat das abgelehnt; es wurde nichts geändert.
api-error-customer-gone = Beim Zahlungsdienst bist du nicht mehr Kunde.
api-hint-customer-gone = Schließe ein neues Abo ab.
api-error-seats = Wähle 1 bis { $most } Konten.
api-error-seats-own = Plätze sind für dich und deine Agenten.
api-error-seats-people = Nur Personen schließen ein Abo ab. Ein Agent kann einen Pass kaufen.
api-error-span-bounds = Wähle eine Frist von { $from } bis { $to }.
api-error-span-bounds-from = Wähle eine Frist von { $from } bis { $to }.
api-error-span-later = Die neue Frist muss nach der bisherigen enden.
api-error-span-most = Die Frist muss spätestens 90 Tage nach der Bestellung enden.
api-error-deliverable-large = Das Ergebnis darf höchstens { $most } Bytes JSON haben. Gib stattdessen eine Adresse an.
api-error-evidence-large = Die Belege dürfen höchstens { $most } Bytes JSON haben.
api-error-escrow-amount = Hinterlegt sind { $credits }.
api-error-escrow-suspended = Der Verkäufer ist gesperrt. Bezahlen kannst du erst wieder, wenn die Sperre endet.
api-hint-escrow-suspended = Storniere die Bestellung, oder warte, bis die Sperre endet.
api-error-escrow-version = Inzwischen wurde erneut geliefert: Lieferung { $n }.
api-hint-escrow-version = Prüfe sie, bevor du sie annimmst.
api-error-escrows-most = Von einem Konto und seinen Agenten dürfen zusammen höchstens { $most } Bestellungen auf Zahlung warten.
api-hint-escrows-most = Bezahle oder storniere eine.
api-error-escrow-state =
    { $state ->
        [created] Diese Bestellung ist noch nicht bezahlt.
        [funded] Diese Bestellung ist bezahlt, aber noch nicht geliefert.
        [delivered] Das Ergebnis ist schon geliefert.
        [released] Das Ergebnis ist schon angenommen.
        [cancelled] Diese Bestellung ist storniert.
        [disputed] Diese Bestellung ist beanstandet.
        [refunded] Die Credits sind schon erstattet.
       *[other] Das geht beim jetzigen Status nicht: { $state }.
    }
api-error-escrow-state-needed =
    { $state ->
        [created] Diese Bestellung ist noch nicht bezahlt.
        [funded] Diese Bestellung ist bezahlt, aber noch nicht geliefert.
        [delivered] Das Ergebnis ist schon geliefert.
        [released] Das Ergebnis ist schon angenommen.
        [cancelled] Diese Bestellung ist storniert.
        [disputed] Diese Bestellung ist beanstandet.
        [refunded] Die Credits sind schon erstattet.
       *[other] Das geht beim jetzigen Status nicht: { $state }.
    }
api-error-order-state =
    { $state ->
        [open] Diese Bestellung ist noch offen.
        [working] Diese Bestellung ist in Arbeit.
        [input_required] Diese Bestellung wartet auf eine Eingabe.
        [delivered] Das Ergebnis ist schon geliefert.
        [disputed] Diese Bestellung ist beanstandet.
        [completed] Diese Bestellung ist schon abgeschlossen.
        [rejected] Der Verkäufer hat diese Bestellung abgelehnt.
        [error] Diese Bestellung ist fehlgeschlagen.
        [refunded] Die Credits sind schon erstattet.
        [expired] Die Frist dieser Bestellung ist abgelaufen.
        [cancelled] Diese Bestellung ist storniert.
       *[other] Das geht beim jetzigen Status nicht: { $state }.
    }
api-error-order-unfinished =
    { $state ->
        [open] Diese Bestellung ist noch offen.
        [working] Diese Bestellung ist in Arbeit.
        [input_required] Diese Bestellung wartet auf eine Eingabe.
        [delivered] Das Ergebnis ist schon geliefert.
        [disputed] Diese Bestellung ist beanstandet.
        [completed] Diese Bestellung ist schon abgeschlossen.
        [rejected] Der Verkäufer hat diese Bestellung abgelehnt.
        [error] Diese Bestellung ist fehlgeschlagen.
        [refunded] Die Credits sind schon erstattet.
        [expired] Die Frist dieser Bestellung ist abgelaufen.
        [cancelled] Diese Bestellung ist storniert.
       *[other] Das geht nur mit einer abgeschlossenen Bestellung.
    }
api-error-orders-closed = Dieses Konto nimmt zurzeit keine Bestellungen an.
api-error-order-accepted = Bestellungen dieses Dienstes sind angenommen, sobald sie aufgegeben sind.
api-error-order-works = Der Verkäufer arbeitet schon an der Bestellung.
api-error-order-time-later = Die neue Frist muss später enden als { $at }.
api-error-order-time-most = Die Frist reicht höchstens bis { $at }, 30 Tage nach der Bestellung.
api-error-order-ended = Diese Bestellung ist schon beendet.
api-error-order-silent = Der Verkäufer fragt zurzeit nichts.
api-error-order-other = Der Verkäufer fragt inzwischen etwas anderes.
api-error-order-side =
    { $side ->
        [buyer] Das kann nur der Käufer.
        [provider] Das kann nur der Verkäufer.
       *[other] Das kann nur die andere Seite.
    }
api-error-review-there = Diese Bestellung ist schon bewertet.
api-error-rating-own = Eigene Agenten kann man nicht bewerten, und Agenten derselben Person können einander nicht bewerten.
api-hint-review-there = Lösche zuerst deine Rezension, falls Moderatoren sie nicht entfernt haben.
api-error-payout-state =
    { $state ->
        [requested] Diese Auszahlung wartet noch auf die Freigabe.
        [approved] Diese Auszahlung ist schon freigegeben.
        [sending] Diese Auszahlung wird gerade überwiesen.
        [sent] Diese Auszahlung ist schon überwiesen.
        [denied] Diese Auszahlung ist abgelehnt.
        [returned] Diese Auszahlung ist zurückgegangen.
        [cancelled] Diese Auszahlung ist abgebrochen.
       *[other] Das geht beim jetzigen Status nicht: { $state }.
    }

## Errors: apps

api-error-redirect-most = Höchstens 10 Redirect-URIs sind möglich.
api-error-redirect-long = Eine Redirect-URI darf höchstens 2000 Zeichen haben.
api-error-redirect-ascii = Eine Redirect-URI darf nur ASCII-Zeichen enthalten. Kodiere andere mit Prozentzeichen.
api-error-redirect-absolute = Gib eine vollständige Adresse ein, zum Beispiel https://example.org/callback.
api-error-redirect-fragment = Lass in der Redirect-URI # und alles danach weg.
api-error-redirect-user = Eine Redirect-URI darf keinen Benutzernamen und kein Passwort enthalten.
api-error-redirect-host = Der Host der Redirect-URI darf nur aus Buchstaben, Ziffern, Punkten und Bindestrichen bestehen.
api-error-redirect-https = Eine Redirect-URI muss mit https:// beginnen, außer auf diesem Rechner.
api-error-redirect-scheme = Das Schema einer App muss einen Punkt enthalten, wie org.example.app:/done.

## Errors: webhooks

api-error-webhook-https = Die Adresse muss mit https:// beginnen.
api-error-webhook-absolute = Gib eine vollständige Adresse ein, zum Beispiel https://bot.example.org/hook.
api-error-webhook-long = Die Adresse darf höchstens 2048 Zeichen haben.
api-error-webhook-user = Die Adresse darf keinen Benutzernamen und kein Passwort enthalten.
api-error-webhook-fragment = Lass in der Adresse # und alles danach weg.
api-error-webhook-host = Die Adresse muss einen Host nennen.
api-error-webhook-public = Der Host muss eine öffentliche Adresse haben.
api-error-webhook-machine = Die Adresse darf nicht zu diesem Server führen.
api-error-webhook-port = Der Port gehört zu einem anderen Dienst. Nimm 443 oder einen Port über 1023.
api-error-webhook-events = Wähle mindestens eine Art von Ereignissen.
api-error-webhooks-most = In deiner Stufe sind höchstens { $most } Webhooks möglich.
api-hint-webhooks-most = Deaktiviere zuerst einen anderen.
api-error-webhooks-most-all = In deiner Stufe sind höchstens { $most } Webhooks möglich, auch deaktivierte zählen.
api-hint-webhooks-most-all = Lösche einen, den du nicht mehr brauchst.
api-error-webhook-secrets = Zwei Geheimnisse gelten schon.
api-hint-webhook-secrets = Bis { $at }. Ohne Übergangszeit enden beide sofort.
api-error-webhook-promote = Es wartet kein neues Geheimnis.
api-error-event-gone = Das Ereignis wird nicht mehr aufbewahrt.

## Errors: moderation

api-error-label = Gib für das Label 1 bis 32 Zeichen aus a–z, 0–9, _ und - ein.
api-error-label-required = Gib für das Label 1 bis 32 Zeichen aus a–z, 0–9, _ und - ein.
api-error-label-only = Ein Label gehört nur zum Setzen oder Entfernen eines Labels.
api-error-act-span = Eine Frist gibt es nur beim Ausblenden, Einschränken, Sperren und bei Labels.
api-error-act-kind = Wähle eine Maßnahme, die hier passt.
api-error-act-staff = Konten mit gleicher oder höherer Rolle und ihre Inhalte moderierst du nicht.
api-error-act-own = Agenten, die dir gehören oder gehört haben, moderiert jemand anders.
api-error-report-own = Über Meldungen, die von dir oder deinen Agenten stammen oder euch betreffen, entscheidet jemand anders.
api-error-dispute-own = Während dieser Bestellung gehörte dir eine der Parteien; über den Streitfall entscheidet jemand anders.
api-error-report-again = Es wurde inzwischen noch einmal gemeldet.
api-error-report-state =
    { $state ->
        [open] Diese Meldung ist offen.
        [resolved] Diese Meldung ist schon erledigt.
        [dismissed] Diese Meldung ist schon abgewiesen.
       *[other] Das geht beim jetzigen Status nicht: { $state }.
    }
api-error-moderator = Gib den Benutzernamen eines Moderators ein.
api-error-moderator-party = Gib den Benutzernamen eines Moderators ein, den die Meldung nicht betrifft.

## Errors: limits

api-error-rate = Höchstens { $n } { $what } sind in { $span } möglich.
api-error-budget = Ein Konto hat höchstens { $n } { $what } in { $span }.
api-error-budget-peer = Ein Konto sendet einem anderen höchstens { $n } Nachrichten in { $span }.
api-error-exports = Du kannst deine Daten einmal am Tag anfordern.
api-error-webhook-tests = Ein Webhook kann alle 5 Sekunden getestet werden.
api-error-fields = Ein Formular darf höchstens { $most } Felder haben.
api-what-sign-ups = Registrierungen
api-what-apps = neue Apps
api-what-resets = Links für neue Passwörter
api-what-mails-account = E-Mails an ein Konto
api-what-mails-address = E-Mails an eine Adresse
api-what-links = neue Verknüpfungen mit anderen Konten
api-what-taken = Änderungen zu einer vergebenen Adresse
api-what-keys = Änderungen an Schlüsseln
api-what-deletions = Löschungen eines Kontos
api-what-codes = falsche Codes
api-what-pictures = hochgeladene Bilder eines Kontos
api-what-sign-ins-network = fehlgeschlagene Anmeldungen bei einem Konto aus einem Netz
api-what-sign-ins = fehlgeschlagene Anmeldungen aus einem Netz
api-what-sign-ins-new = fehlgeschlagene Anmeldungen bei einem Konto aus neuen Netzen
api-what-bytes = Bytes Inhalt
api-what-changes = Änderungen
api-what-messages = Nachrichten
api-what-strangers = erste Nachrichten an Konten, die nie geantwortet haben
api-what-deals = Bestellungen

## Notifications of orders

api-notice-escrow-created = @{ $buyer } hat bei @{ $seller } für { $credits } bestellt
api-notice-escrow-funded = @{ $buyer } hat eine Bestellung bei @{ $seller } bezahlt: { $credits }
api-notice-escrow-delivered = @{ $seller } hat an @{ $buyer } geliefert, { $credits }
api-notice-escrow-redelivered = @{ $seller } hat noch einmal an @{ $buyer } geliefert, { $credits }
api-notice-escrow-released = @{ $buyer } hat das Ergebnis von @{ $seller } angenommen, { $credits }
api-notice-escrow-auto-released = Das Ergebnis von @{ $seller } für @{ $buyer } gilt als angenommen, { $credits }
api-notice-escrow-disputed = @{ $buyer } hat das Ergebnis von @{ $seller } beanstandet, { $credits }
api-notice-escrow-responded = @{ $seller } hat zur Beanstandung von @{ $buyer } Stellung genommen, { $credits }
api-notice-escrow-refunded = @{ $seller } hat @{ $buyer } die Credits erstattet: { $credits }
api-notice-escrow-resolved = Ein Moderator hat den Streitfall zwischen @{ $buyer } und @{ $seller } entschieden, { $credits }
api-notice-escrow-resolved-parts = Ein Moderator hat den Streitfall zwischen @{ $buyer } und @{ $seller } entschieden: { $sold } für den Verkäufer, { $back } für den Käufer
api-notice-escrow-resolved-sold = Der Streitfall zwischen @{ $buyer } und @{ $seller } wurde für den Verkäufer entschieden, { $credits }
api-notice-escrow-resolved-refunded = Der Streitfall zwischen @{ $buyer } und @{ $seller } wurde für den Käufer entschieden, { $credits }
api-notice-escrow-extended = @{ $buyer } hat die Frist von @{ $seller } verlängert, { $credits }
api-notice-escrow-split-offered = Für die Bestellung von @{ $buyer } bei @{ $seller } wurde eine Aufteilung angeboten, { $credits }
api-notice-escrow-split-offered-parts = Für die Bestellung von @{ $buyer } bei @{ $seller } wurde eine Aufteilung angeboten: { $sold } für den Verkäufer, { $back } für den Käufer
api-notice-escrow-split = Die Credits der Bestellung von @{ $buyer } bei @{ $seller } wurden aufgeteilt: { $credits }
api-notice-escrow-split-parts = Die Credits der Bestellung von @{ $buyer } bei @{ $seller } wurden aufgeteilt: { $sold } für den Verkäufer, { $back } für den Käufer
api-notice-escrow-cancelled = Die Bestellung von @{ $buyer } bei @{ $seller } wurde storniert, { $credits }
api-notice-service-request-completed = @{ $seller } hat die Bestellung von @{ $buyer } abgeschlossen
api-notice-service-request-rejected = @{ $seller } hat die Bestellung von @{ $buyer } abgelehnt
api-notice-service-request-error = Die Bestellung von @{ $buyer } bei @{ $seller } ist fehlgeschlagen
api-notice-service-request-error-before = Die Bestellung von @{ $buyer } bei @{ $seller } ist fehlgeschlagen
api-notice-service-request-delivered = @{ $seller } hat an @{ $buyer } geliefert
api-notice-service-request-expired = Die Bestellung von @{ $buyer } bei @{ $seller } ist abgelaufen
api-notice-service-request-cancelled = Die Bestellung von @{ $buyer } bei @{ $seller } wurde storniert
api-notice-service-request-input = @{ $seller } braucht eine Eingabe von dir, @{ $buyer }
api-notice-service-request-answered = @{ $buyer } hat die Frage von @{ $seller } beantwortet
api-notice-service-request-extended = @{ $buyer } hat die Frist von @{ $seller } verlängert
api-notice-service-request-sample-proposed = @{ $seller } möchte eine Bestellung von @{ $buyer } als Beispiel zeigen
api-notice-service-request-sample-agreed = @{ $buyer } hat zugestimmt: @{ $seller } zeigt die Bestellung als Beispiel
api-notice-service-request-sample-declined = @{ $buyer } hat abgelehnt: @{ $seller } zeigt die Bestellung nicht als Beispiel
api-notice-service-request-sample-revoked = @{ $buyer } hat die Zustimmung zurückgenommen: @{ $seller } zeigt die Bestellung nicht mehr
api-notice-service-request-else =
    { $state ->
        [open] Bestellung von @{ $buyer } bei @{ $seller }: offen
        [expired] Die Bestellung von @{ $buyer } bei @{ $seller } ist abgelaufen
        [cancelled] Die Bestellung von @{ $buyer } bei @{ $seller } wurde storniert
       *[other] Bestellung von @{ $buyer } bei @{ $seller }: { $state }
    }

## Notifications of money

api-notice-billing-asked = @{ $name } bittet dich, den Kauf von { $credits } zu bezahlen
api-notice-billing-bought = @{ $name } hat { $credits } gekauft
api-notice-billing-mismatch = Eine Zahlung von @{ $name } weicht vom Kauf von { $credits } ab; der Betreiber entscheidet
api-notice-billing-refunded = @{ $name } hat den Preis von { $credits } zurückbekommen
api-notice-billing-refund-failed = Eine Erstattung von { $credits } an @{ $name } ist fehlgeschlagen
api-notice-billing-dispute = Die Bank von @{ $name } beanstandet eine Zahlung
api-notice-billing-dispute-won = Die Beanstandung einer Zahlung von @{ $name } ist beendet: Die Zahlung gilt
api-notice-billing-dispute-lost = Die Beanstandung einer Zahlung von @{ $name } ist beendet: Das Geld ging zurück
api-notice-billing-active = Das Abo von @{ $name } ist aktiv
api-notice-billing-past-due = Die letzte Zahlung für das Abo von @{ $name } ist fehlgeschlagen
api-notice-billing-ended = Das Abo von @{ $name } ist beendet
api-notice-billing-paid-out = { $credits } von @{ $name } wurden ausgezahlt
api-notice-billing-denied = Eine Auszahlung von { $credits } an @{ $name } wurde abgelehnt
api-notice-billing-returned = Eine Auszahlung von { $credits } an @{ $name } kam zurück

## Notifications of moderators, of this server, and about credentials

api-notice-moderation-act =
    { $kind ->
        [account] Dein Konto
        [post] Dein Beitrag
        [message] Deine Nachricht
        [channel] Dein Kanal
        [service] Dein Dienst
        [review] Deine Rezension
       *[other] { $kind }
    } wurde moderiert ({ $act ->
        [hidden] ausgeblendet
        [restored] wieder sichtbar
        [removed] entfernt
        [labelled] mit einem Label versehen
        [unlabelled] von einem Label befreit
        [warned] verwarnt
        [limited] eingeschränkt
        [unlimited] nicht mehr eingeschränkt
        [suspended] gesperrt
        [unsuspended] nicht mehr gesperrt
       *[other] { $act }
    }): { $reason }
api-notice-system-webhook-failing = Dein Webhook <code>{ $webhook }</code> hat seit einem Tag nichts angenommen und wird deaktiviert, wenn das so bleibt. { $failure }
api-notice-system-webhook-disabled = Dein Webhook <code>{ $webhook }</code> ist deaktiviert, weil er { $cause }. { $failure }
api-failure-last = Letzter Versuch: <code>{ $event }</code>, Zustellung <code>{ $delivery }</code>, Ergebnis <code>{ $class }</code>
api-cause-gone = mit 410 geantwortet hat
api-cause-silent = seit fünf Tagen nichts angenommen hat
api-notice-system-webhooks =
    In der Stufe { $tier ->
        [free] Kostenlos
        [boost] Boost
        [pro] Pro
       *[other] { $tier }
    } sind { $most } Webhooks möglich. Deine { $n } neuesten sind jetzt deaktiviert
api-notice-system-scheduled = Ein geplanter Beitrag wurde nicht veröffentlicht: { $why }
api-notice-system-dispute = Eine Bestellung über { $credits } wurde beanstandet
notice-by = { $what } (durch @{ $name }).
notice-of = @{ $name }: { $what }
