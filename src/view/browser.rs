//! The browser: the one place that names `web_sys`. What others need of it they have from here.

use js_sys::{Array, Function, Reflect};
use wasm_bindgen::prelude::{Closure, JsValue};
use wasm_bindgen::{JsCast, closure::WasmClosure};
use web_sys::{AddEventListenerOptions, EventTarget, IntersectionObserver, ResizeObserver, Storage};

pub use web_sys::{
    Animation, Document, DomParser, Element, Event, HtmlAnchorElement, HtmlElement, HtmlLinkElement,
    KeyboardEvent, MouseEvent, PointerEvent, PopStateEvent, Response, ScrollBehavior, ScrollIntoViewOptions,
    ScrollLogicalPosition, ScrollRestoration, ScrollToOptions, SupportedType, Url, Window,
};

/// The window. A page without one cannot run this program.
pub fn window() -> Option<Window> {
    web_sys::window()
}

/// The document, when there is one.
pub fn document() -> Option<Document> {
    window()?.document()
}

/// `<html>`.
pub fn root() -> Option<Element> {
    document()?.document_element()
}

/// The first element that a selector finds below `within`.
pub fn find(within: &Element, selector: &str) -> Option<Element> {
    within.query_selector(selector).ok().flatten()
}

/// Every element that a selector finds below `within`, in document order.
pub fn find_all(within: &Element, selector: &str) -> Vec<Element> {
    let Ok(list) = within.query_selector_all(selector) else { return Vec::new() };
    (0..list.length()).filter_map(|i| list.get(i)?.dyn_into().ok()).collect()
}

/// The nearest element at or above an event's target that a selector finds.
pub fn closest(event: &Event, selector: &str) -> Option<Element> {
    event.target()?.dyn_into::<Element>().ok()?.closest(selector).ok().flatten()
}

/// Whether an event happened to the element that listens, not to something in it.
pub fn is_own(event: &Event) -> bool {
    event.target() == event.current_target()
}

/// Whether a click is to open its link in another tab or window, or is not the main button's.
pub fn wants_elsewhere(event: &Event) -> bool {
    event
        .dyn_ref::<MouseEvent>()
        .is_none_or(|m| m.button() != 0 || m.meta_key() || m.ctrl_key() || m.shift_key() || m.alt_key())
}

/// A listener that lives as long as this value.
pub struct Listener {
    target: EventTarget,
    name: &'static str,
    closure: Closure<dyn FnMut(Event)>,
}

/// Listens on `target`.
pub fn listen(target: &EventTarget, name: &'static str, f: impl FnMut(Event) + 'static) -> Listener {
    let closure = Closure::new(f);
    let options = AddEventListenerOptions::new();
    options.set_passive(false);
    let function: &Function = closure_function(&closure);
    let _ = target.add_event_listener_with_callback_and_add_event_listener_options(name, function, &options);
    Listener { target: target.clone(), name, closure }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = self.target.remove_event_listener_with_callback(self.name, closure_function(&self.closure));
    }
}

fn closure_function<T: ?Sized + WasmClosure>(closure: &Closure<T>) -> &Function {
    closure.as_ref().unchecked_ref()
}

/// Watches an element's width until dropped.
pub struct WidthWatch {
    observer: ResizeObserver,
    _closure: Closure<dyn FnMut(Array)>,
}

/// Calls `f` with the element's width in CSS pixels, now and whenever it changes.
pub fn watch_width(element: &Element, f: impl Fn(f64) + 'static) -> Option<WidthWatch> {
    let watched = element.clone();
    let closure = Closure::new(move |_: Array| f(watched.get_bounding_client_rect().width()));
    let observer = ResizeObserver::new(closure_function(&closure)).ok()?;
    observer.observe(element);
    Some(WidthWatch { observer, _closure: closure })
}

impl Drop for WidthWatch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Watches whether an element is on screen until dropped.
pub struct SightWatch {
    observer: IntersectionObserver,
    _closure: Closure<dyn FnMut(Array)>,
}

/// Calls `f` with whether any of the element is on screen, now and whenever that changes.
pub fn watch_sight(element: &Element, f: impl Fn(bool) + 'static) -> Option<SightWatch> {
    let closure = Closure::new(move |entries: Array| {
        let last = entries.get(entries.length().saturating_sub(1));
        f(Reflect::get(&last, &"isIntersecting".into()).is_ok_and(|v| v.is_truthy()));
    });
    let observer = IntersectionObserver::new(closure_function(&closure)).ok()?;
    observer.observe(element);
    Some(SightWatch { observer, _closure: closure })
}

impl Drop for SightWatch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Whether a media query holds.
pub fn media(query: &str) -> bool {
    window().and_then(|w| w.match_media(query).ok().flatten()).is_some_and(|m| m.matches())
}

/// The value kept on this device under `mountpath.NAME`; `None` too where storage is refused.
pub fn recall(name: &str) -> Option<String> {
    storage()?.get_item(&format!("mountpath.{name}")).ok().flatten()
}

/// Keeps a value on this device, or forgets it; does nothing where storage is refused.
pub fn keep(name: &str, value: Option<&str>) {
    let Some(storage) = storage() else { return };
    let key = format!("mountpath.{name}");
    let _ = match value {
        Some(v) => storage.set_item(&key, v),
        None => storage.remove_item(&key),
    };
}

fn storage() -> Option<Storage> {
    window()?.local_storage().ok().flatten()
}

/// The page's address.
pub fn address() -> Option<Url> {
    Url::new(&window()?.location().href().ok()?).ok()
}

/// A parameter of the page's address.
pub fn parameter(name: &str) -> Option<String> {
    address()?.search_params().get(name)
}

/// Sets (or takes away) parameters of the page's address without a new entry in the history.
pub fn set_parameters(values: &[(&str, Option<String>)]) {
    let (Some(url), Some(history)) = (address(), window().and_then(|w| w.history().ok())) else { return };
    for (name, value) in values {
        match value {
            Some(v) => url.search_params().set(name, v),
            None => url.search_params().delete(name),
        }
    }
    let state = history.state().unwrap_or(JsValue::NULL);
    let _ = history.replace_state_with_url(&state, "", Some(&url.href()));
}

/// Whether the page is in a hidden tab.
pub fn hidden() -> bool {
    document().is_some_and(|d| d.hidden())
}

/// Calls `f` once the next frame is painted; at once in a hidden tab, which paints none.
pub fn after_paint(f: impl FnOnce() + 'static) {
    let Some(window) = window().filter(|_| !hidden()) else { return f() };
    let framed = Closure::once_into_js(move || gloo_timers::callback::Timeout::new(0, f).forget());
    let _ = window.request_animation_frame(framed.unchecked_ref());
}

/// Calls `f` in a task of its own, so that what the reader does meanwhile comes first.
pub fn soon(f: impl FnOnce() + 'static) {
    gloo_timers::callback::Timeout::new(0, f).forget();
}

/// Says something in the page's status line, which is read out politely.
pub fn say(text: &str) {
    if let Some(line) = root().and_then(|r| find(&r, "[data-live-status]")) {
        line.set_text_content(Some(text));
    }
}

/// Puts text into the clipboard and says so; where that is refused the status line gives the text to copy by hand.
pub fn copy(text: String) {
    let Some(window) = window() else { return };
    let clipboard = Reflect::get(&window.navigator(), &"clipboard".into()).unwrap_or(JsValue::UNDEFINED);
    if clipboard.is_undefined() {
        return say(&format!("This browser keeps the clipboard closed. Copy by hand: {text}"));
    }
    let promise = window.navigator().clipboard().write_text(&text);
    wasm_bindgen_futures::spawn_local(async move {
        match wasm_bindgen_futures::JsFuture::from(promise).await {
            Ok(_) => say(&format!("Copied: {text}")),
            Err(_) => say(&format!("The clipboard is closed to this page. Copy by hand: {text}")),
        }
    });
}

/// Moves the focus to an element without scrolling there.
pub fn focus(element: &Element) {
    if let Some(e) = element.dyn_ref::<HtmlElement>() {
        let options = web_sys::FocusOptions::new();
        options.set_prevent_scroll(true);
        let _ = e.focus_with_options(&options);
    }
}

/// Where a finger or a pen is on the page's window, in CSS pixels; `None` for a mouse.
pub fn finger(event: &Event) -> Option<(i32, i32)> {
    let pointer: &PointerEvent = event.dyn_ref()?;
    (pointer.pointer_type() != "mouse").then(|| (pointer.client_x(), pointer.client_y()))
}

/// Whether a key is pressed together with none that gives it another meaning.
pub fn plain_key(event: &Event) -> Option<String> {
    let key: &KeyboardEvent = event.dyn_ref()?;
    (!key.ctrl_key() && !key.meta_key() && !key.alt_key()).then(|| key.key())
}

/// Gives an element the whole screen, or takes it back; says so where the browser refuses.
pub fn toggle_full_screen(element: &Element) {
    let Some(document) = document() else { return };
    if document.fullscreen_element().is_some() {
        document.exit_fullscreen();
    } else if element.request_fullscreen().is_err() {
        say("This browser gives a page no full screen.");
    }
}
