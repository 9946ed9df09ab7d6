//! The live diagram in a browser: what a reader does with the player, and what the page does in answer.
#![cfg(feature = "site")]

mod support;

use mountpath::scene::{self, Layout, svg};
use serde_json::{Value, json};
use support::{Page, serve};

const DIAGRAM: &str = "diagrams/volume-attachment/";

fn address() -> String {
    format!("{}{DIAGRAM}", serve())
}

/// The diagram's page at `query`, alive and with its scenes there.
fn live(query: &str) -> Page {
    let mut page = Page::open(&format!("{}{query}", address()));
    page.ready();
    page
}

/// The motions of the picture under way, without the transitions that buttons have of their own.
const MOTIONS: &str = "document.getAnimations().filter(a => a.constructor === Animation)";

fn shown(page: &mut Page) -> (String, String) {
    let now = page.eval("(f => [f.dataset.step, f.dataset.state])(document.querySelector('[data-diagram]'))");
    (now[0].as_str().unwrap().into(), now[1].as_str().unwrap().into())
}

fn until(page: &mut Page, step: &str, state: &str) {
    page.until(&format!(
        "(f => f.dataset.step === '{step}' && f.dataset.state === '{state}')(document.querySelector('[data-diagram]'))"
    ));
}

/// Ends every motion under way, as time would.
fn let_time_pass(page: &mut Page) {
    page.until(&format!("{MOTIONS}.length > 0"));
    page.eval(&format!("{MOTIONS}.forEach(a => a.finish())"));
    page.until(&format!("{MOTIONS}.length === 0"));
}

#[test]
fn playing_moves_through_the_step_and_rests_on_it() {
    let mut page = live("");
    assert_eq!(shown(&mut page), ("1".into(), "paused".into()));
    page.click("button", "Play the animation");
    until(&mut page, "1", "playing");
    page.find("button", "Pause");
    let_time_pass(&mut page);
    page.click("button", "Pause");
    until(&mut page, "1", "paused");
    page.find("button", "Play the animation");
    assert_eq!(page.problems(), Vec::<String>::new());
}

#[test]
fn the_last_step_ends_it_and_play_starts_over() {
    let mut page = live("?step=6");
    page.click("button", "Play the animation");
    let_time_pass(&mut page);
    until(&mut page, "6", "ended");
    page.click("button", "Play the animation");
    until(&mut page, "1", "playing");
}

#[test]
fn steps_go_on_and_back_and_the_address_follows() {
    let mut page = live("");
    page.click("button", "Next step");
    until(&mut page, "2", "paused");
    page.until("location.search.includes('step=2')");
    page.click("button", "Next step");
    until(&mut page, "3", "paused");
    page.click("button", "Previous step");
    until(&mut page, "2", "paused");
    page.until(&format!("{MOTIONS}.length === 0"));
    page.find("button", "Copy link to step 2");
}

#[test]
fn everything_on_the_page_follows_the_step() {
    let mut page = live("?step=4");
    page.until("document.querySelector('[data-caption]').textContent.startsWith('external-attacher patches status.attached')");
    let caption = page.text("[data-caption]");
    // One sentence can be seen, and it is the one that is read out.
    assert_eq!(
        page.eval("[...document.querySelectorAll('[data-sentences] > p')].filter(p => getComputedStyle(p).opacity === '1').map(p => p.textContent)"),
        json!([caption])
    );
    assert_eq!(page.eval("document.querySelector('[data-step-text][aria-current]').dataset.stepText"), "4");
    assert_eq!(
        page.eval("[...document.querySelectorAll('[data-panel]')].filter(p => p.offsetParent).map(p => p.dataset.panel)"),
        json!(["4", "4"])
    );
    let says = page.eval("document.querySelector('input[type=range]').getAttribute('aria-valuetext')");
    assert_eq!(says, format!("Step 4 of 6: {caption}"));
    page.until(&format!(
        "document.querySelector('[data-box=wide] svg desc').textContent === {}",
        json!(caption)
    ));
    assert_eq!(page.eval("document.querySelector('[data-caption]').ariaLive"), "polite");
}

#[test]
fn keys_work_on_the_stage_and_only_there() {
    let mut page = live("");
    page.key("ArrowRight");
    page.key(" ");
    assert_eq!(shown(&mut page), ("1".into(), "paused".into()), "nothing listens to the whole page");
    page.eval("document.querySelector('[data-stage]').focus()");
    for (key, step, state) in [
        ("ArrowRight", "2", "paused"),
        ("ArrowRight", "3", "paused"),
        ("ArrowLeft", "2", "paused"),
        ("End", "6", "paused"),
        ("Home", "1", "paused"),
        ("PageDown", "2", "paused"),
        ("PageUp", "1", "paused"),
        (" ", "1", "playing"),
        (" ", "1", "paused"),
    ] {
        page.key(key);
        until(&mut page, step, state);
    }
    page.key("?");
    page.until("document.querySelector('[data-live-status]').textContent.includes('arrow')");
}

#[test]
fn the_range_scrubs_to_rest_frames() {
    let mut page = live("");
    page.focus("slider", "Step");
    page.key("ArrowRight");
    until(&mut page, "2", "paused");
    page.key("End");
    until(&mut page, "6", "paused");
    assert_eq!(page.eval(&format!("{MOTIONS}.length")), 0);
    page.key(" ");
    until(&mut page, "6", "playing");
}

/// A finger that goes from one place to another on the stage.
fn swipe(page: &mut Page, (across, down): (f64, f64)) {
    let at = page.eval(
        "(r => [r.x + r.width / 2, 200])(document.querySelector('[data-stage]').getBoundingClientRect())",
    );
    let (x, y) = (at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
    page.call(
        "Input.dispatchTouchEvent",
        json!({ "type": "touchStart", "touchPoints": [{ "x": x, "y": y }] }),
    );
    for part in 1..=4 {
        let way = f64::from(part) / 4.0;
        let points = json!([{ "x": x + across * way, "y": y + down * way }]);
        page.call("Input.dispatchTouchEvent", json!({ "type": "touchMove", "touchPoints": points }));
    }
    page.call("Input.dispatchTouchEvent", json!({ "type": "touchEnd", "touchPoints": [] }));
}

#[test]
fn a_finger_swipes_from_step_to_step() {
    let mut page = live("?step=3");
    page.viewport(360, 740);
    page.eval(
        "document.querySelector('[data-stage]').scrollIntoView({ block: 'start', behavior: 'instant' })",
    );
    for (way, step) in [((-120.0, 8.0), "4"), ((-120.0, -8.0), "5"), ((120.0, 8.0), "4")] {
        swipe(&mut page, way);
        until(&mut page, step, "paused");
    }
    swipe(&mut page, (-12.0, 0.0));
    swipe(&mut page, (-60.0, 160.0));
    assert_eq!(shown(&mut page), ("4".into(), "paused".into()), "a tap and a scroll are no swipe");
}

#[test]
fn a_talk_has_picture_sentence_and_progress_alone_on_the_screen() {
    let mut page = live("?step=2");
    page.click("button", "Full screen");
    page.until("document.fullscreenElement?.dataset.diagram === 'volume-attachment'");
    let seen = |page: &mut Page, what: &str| {
        page.eval(&format!("document.querySelector('{what}').checkVisibility()"))
    };
    for (what, there) in [
        ("[data-box=wide] svg", true),
        (".sentences", true),
        ("[data-control=step]", true),
        (".options", false),
        (".figure-line", false),
    ] {
        assert_eq!(seen(&mut page, what), there, "{what}");
    }
    let fits = "(f => f.scrollHeight <= f.clientHeight)(document.fullscreenElement)";
    assert_eq!(page.eval(fits), true, "nothing is cut off");
    page.eval("document.querySelector('[data-stage]').focus()");
    page.key("PageDown");
    until(&mut page, "3", "paused");
    page.key("f");
    page.until("document.fullscreenElement === null");
}

#[test]
fn an_address_names_a_step_and_nonsense_names_the_first() {
    for (query, step, state) in [
        ("?step=5", "5", "paused"),
        ("?step=0", "1", "paused"),
        ("?step=7", "1", "paused"),
        ("?step=-1", "1", "paused"),
        ("?step=soon", "1", "paused"),
        ("?step=2&view=hologram&theme=mauve&speed=9&play=perhaps", "2", "paused"),
        ("?step=3&play=1", "3", "playing"),
        ("?step=2&speed=2&theme=dark", "2", "paused"),
    ] {
        let mut page = live(query);
        until(&mut page, step, state);
        assert_eq!(page.problems(), Vec::<String>::new(), "{query}");
    }
    let mut page = live("?speed=0.5");
    assert_eq!(page.eval("document.querySelector('[data-control=speed]').value"), "0.5");
}

#[test]
fn the_transcript_plays_from_a_step_and_links_to_it() {
    let mut page = live("");
    page.click("button", "Play from step 3");
    until(&mut page, "3", "playing");
    assert_eq!(page.eval("document.activeElement.hasAttribute('data-stage')"), true);
    page.eval("window.same = true");
    page.click("link", "Link to step 5");
    until(&mut page, "5", "paused");
    assert_eq!(page.eval("window.same"), true, "the page is not loaded again");
}

#[test]
fn the_view_changes_without_losing_the_step_and_the_address_keeps_it() {
    let mut page = live("?step=4");
    for (name, seen) in [("Sequence", "sequence"), ("Objects", "objects"), ("Map", "map")] {
        page.click("button", name);
        page.until(&format!(
            "[...document.querySelectorAll('[data-pane]')].filter(p => p.checkVisibility()).map(p => p.dataset.pane).join() === '{seen}'"
        ));
        assert_eq!(shown(&mut page), ("4".into(), "paused".into()), "{name}");
        let asked = if seen == "map" { String::new() } else { format!("&view={seen}") };
        page.until(&format!("location.search === '?step=4{asked}'"));
    }
    let mut page = live("?step=3&view=sequence");
    page.until(
        "document.querySelector('[data-pane=sequence] [data-box=wide] svg g[data-key^=\"seq/message/\"]')",
    );
    page.click("button", "Next step");
    let_time_pass(&mut page);
    until(&mut page, "4", "paused");
    assert_eq!(page.eval("document.querySelector('[data-diagram]').dataset.view"), "sequence");
    assert_eq!(page.problems(), Vec::<String>::new());
}

#[test]
fn whoever_of_the_cast_is_pointed_at_has_what_it_did_lifted() {
    let mut page = live("?step=3");
    let lifted = "[...document.querySelectorAll('[data-lifted]')]";
    let seen = |page: &mut Page, what: &str| page.until(&format!("{lifted}.filter(e => {what}).length > 0"));
    page.focus("button", "external-attacher");
    seen(&mut page, "e.dataset.key === 'actor/external-attacher'");
    seen(&mut page, "e.dataset.key === 'field/VolumeAttachment/metadata.finalizers'");
    seen(&mut page, "e.dataset.key === 'wire/attacher-calls-controller-publish'");
    let steps = format!("{lifted}.filter(e => e.dataset.stepText).map(e => e.dataset.stepText).join()");
    assert_eq!(page.eval(&steps), "3,4,6");
    assert_eq!(page.eval(&format!("{lifted}.some(e => e.dataset.key === 'actor/kubelet')")), false);
    page.key("Enter");
    page.focus("button", "Next step");
    page.key("Enter");
    until(&mut page, "4", "paused");
    page.until(&format!("{lifted}.some(e => e.dataset.key === 'wire/attacher-records-attached')"));
    page.key("Escape");
    page.until(&format!("{lifted}.length === 0"));
    assert_eq!(page.problems(), Vec::<String>::new());
}

#[test]
fn speed_changes_motion_and_is_in_the_address() {
    let mut page = live("?step=3");
    page.click("button", "Play the animation");
    page.until(&format!("{MOTIONS}.length > 0"));
    page.eval(
        "(s => { s.value = '2'; s.dispatchEvent(new Event('change', { bubbles: true })) })\
         (document.querySelector('[data-control=speed]'))",
    );
    page.until(&format!("{MOTIONS}.every(a => a.playbackRate === 2)"));
    assert!(page.eval("location.search").as_str().unwrap().contains("speed=2"));
}

#[test]
fn only_opacity_and_transform_move_and_no_script_runs_for_it() {
    let mut page = live("?step=5");
    page.eval(
        "window.frames_asked = 0; const raf = requestAnimationFrame; \
               globalThis.requestAnimationFrame = f => { window.frames_asked += 1; return raf(f) }",
    );
    page.click("button", "Play the animation");
    page.until(&format!("{MOTIONS}.length > 5"));
    page.eval("window.frames_asked = 0");
    let moved = page.eval(
        &format!("[...new Set({MOTIONS}.flatMap(a => a.effect.getKeyframes().flatMap(k => \
         Object.keys(k).filter(n => !['offset', 'easing', 'composite', 'computedOffset'].includes(n)))))].sort()"),
    );
    assert_eq!(moved, json!(["opacity", "transform"]));
    assert_eq!(page.eval(&format!("{MOTIONS}.every(a => a.effect.target.localName === 'g' && a.effect.target.classList.contains('moves'))")), true);
    assert_eq!(page.eval("window.frames_asked"), 0);
}

#[test]
fn without_motion_there_are_rest_frames_only() {
    let mut page = Page::new();
    page.media(&[("prefers-reduced-motion", "reduce")]);
    page.goto(&format!("{}?play=1", address()));
    page.ready();
    assert_eq!(shown(&mut page), ("1".into(), "paused".into()), "?play=1 yields to the reader's wish");
    page.click("button", "Play the animation");
    until(&mut page, "2", "paused");
    assert_eq!(page.eval(&format!("{MOTIONS}.length")), 0);
}

#[test]
fn the_site_has_its_own_switch_for_motion_and_remembers_it() {
    let mut page = live("");
    page.click("button", "Motion: on");
    page.click("button", "Next step");
    until(&mut page, "2", "paused");
    assert_eq!(page.eval(&format!("{MOTIONS}.length")), 0);
    page.reload();
    page.ready();
    page.until("document.querySelector('[data-control=motion]').textContent === 'Motion: off'");
}

#[test]
fn the_theme_is_chosen_in_turn_and_remembered() {
    let mut page = live("");
    for (before, after) in [("Auto", "Light"), ("Light", "Dark"), ("Dark", "Auto")] {
        page.click("button", &format!("Theme: {before}"));
        page.find("button", &format!("Theme: {after}"));
        page.reload();
        page.ready();
        page.find("button", &format!("Theme: {after}"));
    }
    assert_eq!(page.problems(), Vec::<String>::new());
}

/// What stands in the shown picture, group by group, as the page serialises it.
const PICTURE: &str = "(box => { const parse = t => { const d = document.createElementNS('http://www.w3.org/2000/svg', 'svg'); \
    d.innerHTML = t; return [...d.querySelectorAll(':scope > g')].map(g => g.outerHTML) }; \
    window.parse = parse; return [...document.querySelectorAll(`[data-box=${box}] svg > g`)].map(g => g.outerHTML) })";

#[test]
fn the_page_shows_the_frame_that_the_model_gives() {
    let site = mountpath::host::content::load(&support::project()).unwrap();
    let run = mountpath::view::run_of(&site.diagrams[0]).unwrap();
    for (layout, width) in [(Layout::Wide, 1440), (Layout::Narrow, 360)] {
        let mut page = Page::new();
        page.viewport(width, 900);
        page.goto(&address());
        page.ready();
        for step in (1..=6).chain([3, 1]) {
            page.eval(&format!(
                "(r => {{ r.value = {step}; r.dispatchEvent(new Event('input', {{ bubbles: true }})) }})\
                 (document.querySelector('input[type=range]'))"
            ));
            until(&mut page, &step.to_string(), "paused");
            let frame = scene::frame(&run, step, u32::MAX, layout);
            let expected: String = svg::document(&frame, "", "", svg::Embedding::Page);
            let groups = page.until(&format!(
                "(() => {{ const is = {PICTURE}('{}'); const want = window.parse({}); \
                 return JSON.stringify(is) === JSON.stringify(want) ? is.length : 0 }})()",
                layout.name(),
                json!(&expected[expected.find("<g").unwrap()..expected.rfind("</svg>").unwrap()]),
            ));
            assert!(groups.as_u64().unwrap() > 10, "step {step}");
        }
    }
}

#[test]
fn the_layout_follows_the_width_of_the_figure() {
    let mut page = live("?step=3");
    for (width, layout, other) in
        [(1440, "wide", "narrow"), (420, "narrow", "wide"), (1024, "wide", "narrow")]
    {
        page.viewport(width, 900);
        page.until(&format!("document.querySelector('[data-diagram]').dataset.layout === '{layout}'"));
        assert_eq!(page.eval(&format!("!!document.querySelector('[data-box={layout}]').offsetParent")), true);
        assert_eq!(page.eval(&format!("!!document.querySelector('[data-box={other}]').offsetParent")), false);
        page.until(&format!(
            "document.querySelector('[data-box={layout}] svg desc').textContent.startsWith('external-attacher puts')"
        ));
    }
    assert_eq!(shown(&mut page), ("3".into(), "paused".into()));
}

#[test]
fn waking_up_keeps_the_nodes_that_the_page_came_with() {
    let mut page = Page::new();
    page.before("globalThis.requestIdleCallback = f => { globalThis.go = f; return 0 }");
    page.goto(&address());
    page.eval("window.kept = ['[data-box=wide] svg g', '[data-control=toggle]', '[data-caption]'].map(s => document.querySelector(s))");
    page.eval("document.querySelector('[data-control=next]').focus(); 0");
    page.ready();
    let same = "['[data-box=wide] svg g', '[data-control=toggle]', '[data-caption]'].every((s, i) => document.querySelector(s) === window.kept[i])";
    assert_eq!(page.eval(same), true);
    assert_eq!(page.eval("document.activeElement.dataset.control"), "next");
}

#[test]
fn a_click_that_comes_too_early_is_done_once_the_program_is_there() {
    let mut page = Page::new();
    page.before("globalThis.requestIdleCallback = () => 0");
    page.goto(&address());
    page.click("button", "Play from step 4");
    until(&mut page, "4", "playing");
}

#[test]
fn missing_scenes_leave_the_page_and_one_sentence() {
    let mut page = Page::new();
    page.block(&["*wide-*.json"]);
    page.goto(&format!("{}?step=4", address()));
    page.until("'failed' in document.documentElement.dataset");
    let says = page.text("[data-live-status]");
    assert_eq!(
        says,
        "The animation could not start: its pictures did not load; every step is below as text and picture."
    );
    assert_eq!(page.eval("[...document.querySelectorAll('.still')].every(s => s.offsetParent)"), true);
    // Picture, sentence and transcript agree on the step that the page came with; the address still has the other.
    until(&mut page, "1", "paused");
    page.until("document.querySelector('[data-step-text][aria-current]').dataset.stepText === '1'");
    page.eval("new Promise(done => setTimeout(done, 300))");
    assert_eq!(page.eval("location.search"), "?step=4");
}

#[test]
fn a_hidden_or_distant_stage_waits() {
    let mut page = live("?step=5");
    page.click("button", "Play the animation");
    page.until(&format!("{MOTIONS}.length > 0"));
    page.eval("window.scrollTo(0, document.body.scrollHeight)");
    page.until(&format!("{MOTIONS}.every(a => a.playState !== 'running')"));
    page.eval("window.scrollTo(0, 0)");
    page.until(&format!("{MOTIONS}.some(a => a.playState === 'running')"));
    assert_eq!(shown(&mut page), ("5".into(), "playing".into()));
}

#[test]
fn commands_are_copied_and_said() {
    let mut page = live("?step=2");
    page.eval("Object.defineProperty(navigator, 'clipboard', { value: { writeText: t => { window.copied = t; return Promise.resolve() } } })");
    page.click("button", "Copy: kubectl get volumeattachment");
    page.until("window.copied === 'kubectl get volumeattachment'");
    page.until(
        "document.querySelector('[data-live-status]').textContent === 'Copied: kubectl get volumeattachment'",
    );
    let seen = "(r => r.height > 0 && r.top >= 0 && r.bottom <= innerHeight)(document.querySelector('[data-live-status]').getBoundingClientRect())";
    assert_eq!(page.eval(seen), true, "what is said can be seen");
    page.click("button", "Copy link to step 2");
    let copied = page.until("window.copied.startsWith('http') && window.copied");
    assert_eq!(copied, Value::from(format!("{}?step=2", address())));
}
