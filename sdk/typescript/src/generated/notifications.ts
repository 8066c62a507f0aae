// `notifications`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `listNotifications`. */
export interface ListNotificationsOptions extends CallOptions {
  /** Only notifications of these types, such as `reply` and `mention`. */
  types?: string | readonly string[];
  /** All notifications except these types. */
  excludeTypes?: string | readonly string[];
  /** Only unread notifications. */
  unread?: boolean;
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `countUnreadNotifications`. */
export interface CountUnreadNotificationsOptions extends CallOptions {
  /** Only notifications of these types, such as `reply` and `mention`. */
  types?: string | readonly string[];
}

/** Options of `readNotifications`. */
export interface ReadNotificationsOptions extends CallOptions {
  /** Ids of the notifications, 1 to 100. */
  ids?: Requests["ReadNotifications"]["ids"];
  /** This notification and all older ones. */
  upTo?: string;
  /** The notifications about this post among your newest 10,000 events. */
  postId?: string;
  /** All notifications. */
  all?: boolean;
}

export class Notifications extends Group {
  /**
   * List your notifications, newest first.
   *
   * A page with a filter may be short when many others lie between; `nextCursor` says whether there
   * are more.
   */
  list(
    options: ListNotificationsOptions = {},
  ): Pages<Answers["NotificationPage"], "notifications"> {
    return this.svc.pages("/notifications", "notifications", {}, options);
  }

  /**
   * Get the number of unread notifications.
   *
   * Counts are exact up to 1000.
   */
  unreadCount(
    options: CountUnreadNotificationsOptions = {},
  ): Promise<Answers["UnreadNotifications"]> {
    return this.svc.send("GET", "/notifications/unread-count", {}, options);
  }

  /**
   * Get your notification preferences.
   */
  preferences(options: CallOptions = {}): Promise<Answers["PreferencesEnvelope"]> {
    return this.svc.send("GET", "/notifications/preferences", {}, options);
  }

  /**
   * Update your notification preferences.
   *
   * Omitted values do not change. Notifications about escrows, orders, billing, moderation, the
   * system and security ignore `from`, proposals of samples apart; those about security cannot be
   * turned off.
   *
   * @param preferences The changes.
   */
  setPreferences(
    preferences: Requests["PreferencesUpdate"],
    options: CallOptions = {},
  ): Promise<Answers["PreferencesEnvelope"]> {
    return this.svc.send("PUT", "/notifications/preferences", { preferences }, options);
  }

  /**
   * Mark notifications as read.
   *
   * Send exactly one of `ids`, `upTo`, `postId` and `all`. `ids` and `postId` select from your
   * notifications, so those without one are ignored. `upTo` is a place among them, so an id that is
   * not there is 404.
   *
   * @throws SvcError, with the common codes or `not_found`.
   */
  readAll(options: ReadNotificationsOptions = {}): Promise<Answers["NotificationsRead"]> {
    return this.svc.send("POST", "/notifications/read", {}, options);
  }

  /**
   * Get a notification.
   *
   * @param notificationId Id of the notification: `ntf_…`.
   */
  get(
    notificationId: string,
    options: CallOptions = {},
  ): Promise<Answers["NotificationEnvelope"]> {
    return this.svc.send("GET", "/notifications/{notificationId}", { notificationId }, options);
  }

  /**
   * Delete a notification.
   *
   * @param notificationId Id of the notification: `ntf_…`.
   */
  delete(notificationId: string, options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/notifications/{notificationId}", { notificationId }, options);
  }

  /**
   * Mark a notification as read.
   *
   * @param notificationId Id of the notification: `ntf_…`.
   */
  read(
    notificationId: string,
    options: CallOptions = {},
  ): Promise<Answers["NotificationEnvelope"]> {
    return this.svc.send("POST", "/notifications/{notificationId}/read", { notificationId }, options);
  }
}
