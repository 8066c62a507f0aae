//! Headers, and what of a trace is recorded.

use std::sync::{Arc, Mutex};

use super::*;

const VALID: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// Keeps spans.
#[derive(Debug, Default)]
struct Kept(Mutex<Vec<FinishedSpan>>);

impl SpanSink for Kept {
    fn take(&self, span: FinishedSpan) {
        self.0.lock().unwrap().push(span);
    }
}

/// A tracer of this share, and what it records.
fn tracer(share: f64) -> (Tracer, Arc<Kept>) {
    let kept = Arc::new(Kept::default());
    (Tracer::new(Arc::clone(&kept) as _, share), kept)
}

fn begin(tracer: &Tracer, given: Option<&Trace>) -> Option<Span> {
    tracer.request(given, || "GET /".to_owned())
}

#[test]
fn a_trace_of_this_or_a_later_version_is_read() {
    let trace = Trace::read(VALID).unwrap();
    assert_eq!((trace.as_str(), trace.id()), (VALID, "4bf92f3577b34da6a3ce929d0e0e4736"));
    assert_eq!((trace.span(), trace.flags()), ("00f067aa0ba902b7", 1));
    for later in [VALID.replacen("00", "01", 1), VALID.replacen("00", "7f", 1) + "-more"] {
        assert_eq!(Trace::read(&later), Some(trace.clone()), "{later}");
    }
}

#[test]
fn what_is_no_trace_is_ignored() {
    let zeros = |length| "0".repeat(length);
    for text in [
        String::new(),
        VALID[1..].to_owned(),
        VALID.to_owned() + "-more",
        VALID.replacen("00", "ff", 1),
        VALID.to_uppercase(),
        VALID.replace("4bf92f3577b34da6a3ce929d0e0e4736", &zeros(32)),
        VALID.replace("00f067aa0ba902b7", &zeros(16)),
        VALID.replace('-', "_"),
        VALID.replacen('f', "é", 1),
        VALID.replacen("00", "01", 1) + "more",
    ] {
        assert_eq!(Trace::read(&text), None, "{text}");
    }
}

#[test]
fn a_new_trace_is_a_valid_header_and_its_children_differ_only_in_the_span() {
    let trace = Trace::sampled(1.0).unwrap();
    assert_eq!(Trace::read(trace.as_str()), Some(trace.clone()));
    let child = trace.child();
    assert_eq!(Trace::read(child.as_str()), Some(child.clone()));
    assert_eq!((child.id(), child.flags()), (trace.id(), 1));
    assert_ne!(child.span(), trace.span());
}

#[test]
fn the_share_decides_where_no_caller_has() {
    let of = |share| (0..4_000).filter(|_| Trace::sampled(share).is_some()).count();
    assert_eq!((of(0.0), of(1.0)), (0, 4_000));
    // Ten standard deviations.
    assert!((700..1_300).contains(&of(0.25)));
}

#[test]
fn the_flag_of_a_caller_counts_more_than_the_share() {
    let (recorded, unrecorded) = (Trace::read(VALID).unwrap(), VALID.replace("-01", "-00"));
    let unrecorded = Trace::read(&unrecorded).unwrap();
    let (none, all) = (tracer(0.0).0, tracer(1.0).0);
    assert!(begin(&none, None).is_none() && begin(&none, Some(&recorded)).is_some());
    assert!(begin(&all, None).is_some() && begin(&all, Some(&unrecorded)).is_none());
    assert!(begin(&Tracer::default(), Some(&recorded)).is_none());
}

#[test]
fn a_span_names_the_one_above_it() {
    let (tracer, kept) = tracer(1.0);
    let given = Trace::read(VALID).unwrap();
    let request = begin(&tracer, Some(&given)).unwrap();
    let mut job = request.context().begin(Kind::Internal, "database write").unwrap();
    job.fail("lost");
    job.end();
    drop(request);
    let [job, request] = <[FinishedSpan; 2]>::try_from(kept.0.lock().unwrap().clone()).unwrap();
    assert_eq!(job.parent, Some((request.trace.clone(), false)));
    assert_eq!(request.parent, Some((given.clone(), true)));
    assert_eq!(request.trace.id(), given.id());
    assert_eq!(job.attributes, [("error.type", Value::from("lost"))]);
    assert_eq!(request.attributes, [("error.type", Value::from("cancelled"))], "it was dropped");
    assert!(job.failed && request.failed && request.ended >= job.ended);
}

#[test]
fn a_request_has_a_bounded_number_of_spans() {
    let (tracer, kept) = tracer(1.0);
    let request = begin(&tracer, None).unwrap();
    let below = |count| {
        let begun = (0..count).filter_map(|_| request.context().begin(Kind::Client, "query"));
        begun.map(Span::end).count()
    };
    assert_eq!((below(SPANS_MAX - 1), below(10), below(10)), (SPANS_MAX - 1, 1, 0));
    request.end();
    assert_eq!(kept.0.lock().unwrap().len(), SPANS_MAX + 1, "its own is always recorded");
}

#[test]
fn a_round_that_did_nothing_is_not_recorded() {
    let (tracer, kept) = tracer(1.0);
    let round = tracer.round("sweep").unwrap();
    round.context().begin(Kind::Internal, "database read").unwrap().end();
    round.end();
    drop(tracer.round("sweep"));
    assert!(kept.0.lock().unwrap().is_empty());
}

#[test]
fn a_round_shows_what_it_did_and_not_what_it_tried_in_vain() {
    let (tracer, kept) = tracer(1.0);
    let round = tracer.round("sweep").unwrap();
    let job = || round.context().begin(Kind::Internal, "database write").unwrap();
    for _ in 0..SPANS_MAX {
        let in_vain = job();
        in_vain.context().begin(Kind::Client, "execute").unwrap().end();
        in_vain.end_in_vain();
    }
    let done = job();
    done.context().begin(Kind::Client, "execute").unwrap().end();
    done.end();
    round.context().note_done();
    assert!(kept.0.lock().unwrap().is_empty(), "until it has ended");
    round.end();
    let [trip, job, round] = <[FinishedSpan; 3]>::try_from(kept.0.lock().unwrap().clone()).unwrap();
    assert_eq!((&*trip.name, trip.parent), ("execute", Some((job.trace.clone(), false))));
    assert_eq!((&*job.name, job.parent), ("database write", Some((round.trace.clone(), false))));
    assert_eq!((&*round.name, round.kind, round.parent), ("sweep", Kind::Internal, None));
    let attributes = [("svc.task", Value::from("sweep")), ("svc.task.done", Value::from(1_i64))];
    assert_eq!(round.attributes, attributes);
}

#[test]
fn work_of_a_request_is_recorded_also_if_it_was_in_vain() {
    let (tracer, kept) = tracer(1.0);
    let request = begin(&tracer, None).unwrap();
    request.context().begin(Kind::Internal, "database write").unwrap().end_in_vain();
    request.end();
    assert_eq!(kept.0.lock().unwrap().len(), 2);
}

#[test]
fn the_share_decides_on_messages_and_rounds_too() {
    let (none, all) = (tracer(0.0).0, tracer(1.0).0);
    let message = |tracer: &Tracer| tracer.message(|| "process svc/channels".to_owned());
    assert!(message(&none).is_none() && none.round("sweep").is_none());
    assert!(message(&all).is_some() && all.round("sweep").is_some());
}

#[tokio::test]
async fn work_finds_what_it_belongs_to_unless_it_is_spawned() {
    let trace = Trace::read(VALID).unwrap();
    let context = Some(Context::unrecorded(trace.clone()));
    assert!(current().is_none());
    let (inside, spawned) = within(context, async {
        let spawned = tokio::spawn(async { current().is_some() });
        (current(), spawned.await.unwrap())
    })
    .await;
    assert_eq!(inside.map(|context| context.trace().clone()), Some(trace));
    assert!(!spawned && current().is_none());
}
