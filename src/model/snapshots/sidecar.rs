//! csi-snapshotter: it has the driver cut and delete snapshots, and says so in the content's status (ES2, ES5).

use super::{Content, Event, Snapshotter, may_still_create};
use crate::model::effect::{About, Failure, Field, Method, Reply, Value};
use crate::model::turn::{Turn, finalizers, need};
use crate::model::{Code, EventId, Fault, FaultId, Finalizer, ObjectId, Presence, SnapshotId, Unmet};

type Step = Result<(), Unmet>;

/// A content with no call under way.
fn idle(t: &Turn, id: SnapshotId) -> Result<Content, Unmet> {
    let snapshot = t.cluster.snapshot(id);
    need(t.world.driver().snapshots, Unmet::NoSnapshots)?;
    need(snapshot.content.presence == Presence::Here, Unmet::ContentMissing)?;
    need(snapshot.snapshotter == Snapshotter::Idle, Unmet::OperationPending)?;
    Ok(snapshot.content)
}

fn advance(t: &mut Turn, id: SnapshotId, from: Snapshotter, to: Snapshotter) -> Step {
    need(t.cluster.snapshot(id).snapshotter == from, Unmet::NoSuchCall)?;
    t.cluster.snapshot_mut(id).snapshotter = to;
    Ok(())
}

/// ES2: the annotation says that the driver is at it, and CreateSnapshot leaves; again until the snapshot is ready.
pub(super) fn calls_create(t: &mut Turn, id: SnapshotId) -> Step {
    let content = idle(t, id)?;
    need(content.ready != Some(true), Unmet::SnapshotReady)?;
    // What the driver may still be at comes to an end before it is deleted.
    need(!content.deleting || content.creating, Unmet::ContentDeleting)?;
    t.read(ObjectId::SnapshotContent(id));
    let snapshot = t.cluster.snapshot_mut(id);
    snapshot.snapshotter = Snapshotter::CreateCalled;
    if !content.handle {
        snapshot.content.creating = true;
    }
    if !content.creating && !content.handle {
        t.write(ObjectId::SnapshotContent(id), Field::BeingCreated, Value::Absent, Value::Text("yes"));
    }
    t.call(Method::CreateSnapshot, About::Snapshot(id));
    Ok(())
}

/// ES2: the reply arrives, and says whether the snapshot is ready.
pub(super) fn receives_create_ok(t: &mut Turn, id: SnapshotId) -> Step {
    let ready = t.cluster.snapshot(id).real == super::RealSnapshot::Ready;
    advance(t, id, Snapshotter::CreateDone, Snapshotter::Created(ready))?;
    t.reply(Method::CreateSnapshot, About::Snapshot(id), Reply::Ok);
    Ok(())
}

/// ES2: an error arrives; unless the driver may still be at it, the annotation comes off.
pub(super) fn receives_create_failed(t: &mut Turn, id: SnapshotId, fault: FaultId) -> Step {
    let did = t.cluster.snapshot(id).snapshotter == Snapshotter::CreateDone;
    let from = if did { Snapshotter::CreateDone } else { Snapshotter::CreateCalled };
    need(t.cluster.snapshot(id).snapshotter == from, Unmet::NoSuchCall)?;
    let code = t.world.fault(fault).and_then(Fault::code).ok_or(Unmet::NoSuchFault)?;
    t.spend_fault(fault, Method::CreateSnapshot, None, did)?;
    t.goes_on(fault, Method::CreateSnapshot, About::Snapshot(id));
    create_fails(t, id, from, code, Failure::Fault(fault))
}

/// ES2: the driver itself refuses, or is not there.
pub(super) fn receives_create_refused(t: &mut Turn, id: SnapshotId) -> Step {
    need(t.cluster.snapshot(id).snapshotter == Snapshotter::CreateCalled, Unmet::NoSuchCall)?;
    let failure = t.refusal(Method::CreateSnapshot, About::Snapshot(id))?;
    let code = failure.code(t.world).ok_or(Unmet::NoSuchFault)?;
    create_fails(t, id, Snapshotter::CreateCalled, code, failure)
}

fn create_fails(t: &mut Turn, id: SnapshotId, from: Snapshotter, code: Code, failure: Failure) -> Step {
    t.reply(Method::CreateSnapshot, About::Snapshot(id), Reply::Failed(failure));
    advance(t, id, from, Snapshotter::Idle)?;
    t.cluster.snapshot_mut(id).content.error = true;
    if !may_still_create(code) {
        created(t, id);
    }
    tell(t, id, Event::CreateFailed(id, failure));
    Ok(())
}

/// The annotation comes off.
fn created(t: &mut Turn, id: SnapshotId) {
    if t.cluster.snapshot(id).content.creating {
        t.cluster.snapshot_mut(id).content.creating = false;
        t.write(ObjectId::SnapshotContent(id), Field::BeingCreated, Value::Text("yes"), Value::Absent);
    }
}

/// ES2: the content's status holds the snapshot's handle, and whether it is ready.
pub(super) fn records_snapshot(t: &mut Turn, id: SnapshotId) -> Step {
    let Snapshotter::Created(ready) = t.cluster.snapshot(id).snapshotter else {
        return Err(Unmet::NoSuchCall);
    };
    let before = t.cluster.snapshot(id).content;
    let snapshot = t.cluster.snapshot_mut(id);
    snapshot.snapshotter = Snapshotter::Idle;
    snapshot.content.handle = true;
    snapshot.content.ready = Some(ready);
    snapshot.content.error = false;
    let object = ObjectId::SnapshotContent(id);
    if !before.handle {
        t.write(object, Field::SnapshotHandle, Value::Absent, Value::SnapshotHandle(id));
    }
    if before.ready != Some(ready) {
        let from = before.ready.map_or(Value::Absent, Value::Bool);
        t.write(object, Field::ReadyToUse, from, Value::Bool(ready));
    }
    created(t, id);
    Ok(())
}

/// A content that is to go, and that the driver is not at any more.
fn going(t: &Turn, id: SnapshotId) -> Result<Content, Unmet> {
    let content = idle(t, id)?;
    need(content.deleting, Unmet::ContentNotDeleting)?;
    need(!content.creating, Unmet::SnapshotBeingCreated)?;
    Ok(content)
}

/// ES5: DeleteSnapshot leaves.
pub(super) fn calls_delete(t: &mut Turn, id: SnapshotId) -> Step {
    let content = going(t, id)?;
    need(content.handle, Unmet::NoSnapshotHandle)?;
    t.read(ObjectId::SnapshotContent(id));
    t.cluster.snapshot_mut(id).snapshotter = Snapshotter::DeleteCalled;
    t.call(Method::DeleteSnapshot, About::Snapshot(id));
    Ok(())
}

/// ES5: the reply arrives.
pub(super) fn receives_delete_ok(t: &mut Turn, id: SnapshotId) -> Step {
    advance(t, id, Snapshotter::DeleteDone, Snapshotter::Deleted)?;
    t.reply(Method::DeleteSnapshot, About::Snapshot(id), Reply::Ok);
    Ok(())
}

/// ES5: an error arrives, whichever: it is tried again.
pub(super) fn receives_delete_failed(t: &mut Turn, id: SnapshotId, fault: FaultId) -> Step {
    let did = t.cluster.snapshot(id).snapshotter == Snapshotter::DeleteDone;
    let from = if did { Snapshotter::DeleteDone } else { Snapshotter::DeleteCalled };
    need(t.cluster.snapshot(id).snapshotter == from, Unmet::NoSuchCall)?;
    t.spend_fault(fault, Method::DeleteSnapshot, None, did)?;
    t.goes_on(fault, Method::DeleteSnapshot, About::Snapshot(id));
    delete_fails(t, id, from, Failure::Fault(fault))
}

/// ES5: the driver itself refuses, or is not there.
pub(super) fn receives_delete_refused(t: &mut Turn, id: SnapshotId) -> Step {
    need(t.cluster.snapshot(id).snapshotter == Snapshotter::DeleteCalled, Unmet::NoSuchCall)?;
    let failure = t.refusal(Method::DeleteSnapshot, About::Snapshot(id))?;
    delete_fails(t, id, Snapshotter::DeleteCalled, failure)
}

fn delete_fails(t: &mut Turn, id: SnapshotId, from: Snapshotter, failure: Failure) -> Step {
    t.reply(Method::DeleteSnapshot, About::Snapshot(id), Reply::Failed(failure));
    advance(t, id, from, Snapshotter::Idle)?;
    t.cluster.snapshot_mut(id).content.error = true;
    tell(t, id, Event::DeleteFailed);
    Ok(())
}

/// ES5: nothing was cut, so there is nothing to delete.
pub(super) fn skips_delete(t: &mut Turn, id: SnapshotId) -> Step {
    let content = going(t, id)?;
    need(!content.handle, Unmet::SnapshotHandle)?;
    t.cluster.snapshot_mut(id).snapshotter = Snapshotter::Deleted;
    Ok(())
}

/// ES5: the content's status loses what is true no more.
pub(super) fn clears_status(t: &mut Turn, id: SnapshotId) -> Step {
    advance(t, id, Snapshotter::Deleted, Snapshotter::Cleared)?;
    let before = t.cluster.snapshot(id).content;
    let content = &mut t.cluster.snapshot_mut(id).content;
    content.handle = false;
    content.ready = None;
    content.error = false;
    let object = ObjectId::SnapshotContent(id);
    if before.handle {
        t.write(object, Field::SnapshotHandle, Value::SnapshotHandle(id), Value::Absent);
    }
    if let Some(ready) = before.ready {
        t.write(object, Field::ReadyToUse, Value::Bool(ready), Value::Absent);
    }
    Ok(())
}

/// ES5: the finalizer comes off, and with it the content goes.
pub(super) fn releases_content(t: &mut Turn, id: SnapshotId) -> Step {
    advance(t, id, Snapshotter::Cleared, Snapshotter::Idle)?;
    let from = t.cluster.snapshot(id).content.finalizers;
    let to = from.without(Finalizer::ContentBound);
    t.cluster.snapshot_mut(id).content = Content { presence: Presence::Gone, ..Content::default() };
    let object = ObjectId::SnapshotContent(id);
    t.write(object, Field::Finalizers, finalizers(from), finalizers(to));
    t.delete(object);
    Ok(())
}

/// The process stops: nobody receives the replies to its calls.
pub(in crate::model) fn forgets(t: &mut Turn) {
    for id in t.world.snapshots() {
        t.cluster.snapshot_mut(id).snapshotter = Snapshotter::Idle;
    }
}

fn tell(t: &mut Turn, id: SnapshotId, event: Event) {
    t.event(ObjectId::SnapshotContent(id), EventId::Snapshots(event));
}
