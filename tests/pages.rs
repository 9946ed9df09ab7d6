//! Moving about the site in a browser, and reading it on small screens and without scripts.
#![cfg(feature = "site")]

mod support;

use serde_json::{Value, json};
use support::{Page, pages, serve};

fn open(path: &str) -> Page {
    let mut page = Page::open(&format!("{}{path}", serve()));
    page.ready();
    page
}

fn until_at(page: &mut Page, path: &str) {
    let url = format!("{}{path}", serve());
    page.until(&format!("location.href.split('?')[0] === {} && !!document.querySelector('h1')", json!(url)));
}

#[test]
fn moving_inside_the_site_keeps_the_program_running() {
    let mut page = open("");
    page.eval("window.same = true");
    page.click("link", "Diagrams");
    until_at(&mut page, "diagrams/");
    page.until("document.querySelector('h1').textContent === 'Diagrams'");
    assert_eq!(page.eval("document.title"), "Diagrams · Mountpath");
    assert_eq!(
        page.eval("document.activeElement.localName"),
        "h1",
        "the focus goes to the new page's heading"
    );
    assert_eq!(page.eval("document.querySelector('nav [aria-current]').textContent"), "Diagrams");
    assert_eq!(page.eval("scrollY"), 0);
    page.eval("document.querySelector('.card a').click()");
    until_at(&mut page, "diagrams/volume-attachment/");
    page.until("document.querySelector('h1').textContent === 'VolumeAttachment'");
    page.click("button", "Next step");
    page.until("document.querySelector('[data-diagram]').dataset.step === '2'");
    page.click("link", "Course");
    until_at(&mut page, "chapters/21-csi/");
    page.until("!!document.querySelector('.beside [data-diagram]')");
    page.click("button", "Next step");
    page.until("document.querySelector('[data-diagram]').dataset.step === '2'");
    assert_eq!(page.eval("window.same"), true, "no page was loaded");
    assert_eq!(page.problems(), Vec::<String>::new());
}

#[test]
fn back_and_forward_show_the_pages_as_they_were_left() {
    let mut page = open("chapters/21-csi/");
    page.eval("window.same = true; window.scrollTo(0, 900)");
    page.until("history.state === 900");
    // By script, since a click by hand would scroll up to the link.
    page.eval("document.querySelector('header nav a:nth-child(2)').click()");
    until_at(&mut page, "diagrams/");
    page.until("document.querySelector('h1').textContent === 'Diagrams'");
    page.eval("history.back()");
    until_at(&mut page, "chapters/21-csi/");
    page.until("Math.abs(scrollY - 900) < 2");
    page.eval("history.forward()");
    until_at(&mut page, "diagrams/");
    page.until("document.querySelector('h1').textContent === 'Diagrams'");
    assert_eq!(page.eval("window.same"), true);
}

#[test]
fn going_back_before_the_next_page_has_come_stays() {
    let mut page = open("chapters/21-csi/");
    page.eval(
        "globalThis.fetched = fetch; globalThis.fetch = (...a) => new Promise(go => { globalThis.release = go }).then(() => fetched(...a))",
    );
    page.eval("document.querySelector('header nav a:nth-child(2)').click()");
    until_at(&mut page, "diagrams/");
    page.eval("history.back()");
    until_at(&mut page, "chapters/21-csi/");
    page.eval("globalThis.release()");
    page.eval("fetched('.').then(r => r.text()).then(() => new Promise(done => setTimeout(done, 100)))");
    assert_eq!(page.text("h1"), "CSI: attach is a request");
}

#[test]
fn a_page_that_is_gone_is_shown_as_the_host_shows_it() {
    let mut page = open("");
    page.eval(
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<a id=gone href=nowhere/>gone</a>')",
    );
    page.eval("document.getElementById('gone').click()");
    page.until("document.querySelector('h1').textContent === 'Nothing is mounted here'");
}

#[test]
fn links_in_the_prose_set_the_stage_and_the_stage_lights_them() {
    let mut page = open("chapters/21-csi/");
    page.eval("[...document.querySelectorAll('.prose [data-step-link=\"4\"]')][0].click()");
    page.until("document.querySelector('[data-diagram]').dataset.step === '4'");
    page.until(
        "document.querySelector('.prose [data-step-link=\"4\"]').getAttribute('aria-current') === 'step'",
    );
    assert_eq!(page.problems(), Vec::<String>::new());
}

#[test]
fn no_page_is_wider_than_a_small_screen() {
    let mut page = Page::new();
    for width in [320, 360, 768, 1024] {
        page.viewport(width, 800);
        for (path, _) in pages() {
            page.goto(&format!("{}{path}", serve()));
            page.ready();
            let wide = page.eval(
                "[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 \
                 && !e.closest('.scroll, pre, svg, .table, .skip, .visually-hidden')).map(e => e.outerHTML.slice(0, 80))",
            );
            assert_eq!(wide, json!([]), "{path} at {width}");
            assert_eq!(
                page.eval("document.documentElement.scrollWidth <= innerWidth"),
                true,
                "{path} at {width}"
            );
        }
    }
}

#[test]
fn buttons_are_large_enough_to_touch() {
    let mut page = Page::new();
    page.viewport(360, 800);
    page.goto(&format!("{}diagrams/volume-attachment/", serve()));
    page.ready();
    let small = page.eval(
        "[...document.querySelectorAll('.controls button, .controls select, .controls input, .theme')].filter(e => \
         { const r = e.getBoundingClientRect(); return r.width < 44 || r.height < 44 }).map(e => e.outerHTML.slice(0, 80))",
    );
    assert_eq!(small, json!([]));
    let tiny = page.eval(
        "[...document.querySelectorAll('button, a[href], summary')].filter(e => e.offsetParent && !e.closest('p:not(.step-links), li p, .prose, .sources, .more'))\
         .filter(e => e.getBoundingClientRect().height < 24).map(e => e.outerHTML.slice(0, 80))",
    );
    assert_eq!(tiny, json!([]));
}

#[test]
fn without_a_script_a_diagram_is_told_in_full() {
    let mut page = Page::new();
    page.scripts(false);
    page.goto(&format!("{}diagrams/volume-attachment/?step=3#step-3", serve()));
    assert_eq!(page.eval("[...document.querySelectorAll('[data-step-text]')].length"), 6);
    assert_eq!(page.eval("[...document.querySelectorAll('[data-panel]')].every(p => p.offsetParent)"), true);
    assert_eq!(
        page.eval("[...document.querySelectorAll('[data-control]')].some(c => c.offsetParent)"),
        false
    );
    page.eval("document.querySelectorAll('.still').forEach(s => s.open = true)");
    page.eval("document.querySelector('#step-6').scrollIntoView()");
    page.until("(i => i.complete && i.naturalWidth === 800)(document.querySelector('#step-6 img'))");
    assert_eq!(page.problems(), Vec::<String>::new());
}

#[test]
fn on_paper_there_are_all_steps_and_no_controls() {
    let mut page = open("diagrams/volume-attachment/");
    page.call("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    assert_eq!(page.eval("[...document.querySelectorAll('[data-panel]')].every(p => p.offsetParent)"), true);
    assert_eq!(page.eval("[...document.querySelectorAll('button')].some(c => c.offsetParent)"), false);
    let frames = "[...document.querySelectorAll('.steps .still img')].filter(i => i.offsetParent).length";
    assert_eq!(page.eval(frames), 6, "a storyboard has a picture a step");
    assert_eq!(page.eval("document.querySelector('.stage-box').offsetParent"), Value::Null);
}

#[test]
fn the_index_shows_what_the_filter_lets_through_and_the_address_keeps_it() {
    let mut page = open("diagrams/?actor=external-attacher&object=Sandwich");
    page.ready();
    let shown = "[...document.querySelectorAll('.card')].filter(c => c.offsetParent).length";
    let all = page.eval("document.querySelectorAll('.card').length").as_u64().unwrap();
    page.until(&format!(
        "document.querySelector('[data-found]').textContent === `${{{shown}}} of {all} diagrams`"
    ));
    assert_eq!(page.eval("document.querySelector('[name=actor]').value"), "external-attacher");
    assert_eq!(
        page.eval("document.querySelector('[name=object]').value"),
        "",
        "an unknown object is no choice"
    );
    let fit = "[...document.querySelectorAll('.card')].every(c => Boolean(c.offsetParent) === c.dataset.actor.split('|').includes('external-attacher'))";
    assert_eq!(page.eval(fit), true);
    page.eval("(l => { l.value = ''; l.dispatchEvent(new Event('change', { bubbles: true })) })(document.querySelector('[name=actor]'))");
    page.until(&format!("{shown} === {all}"));
    page.click("checkbox", "Something fails");
    page.until("location.search === '?fails=1'");
    let fit = "[...document.querySelectorAll('.card')].every(c => Boolean(c.offsetParent) === ('fails' in c.dataset))";
    assert_eq!(page.eval(fit), true);
    assert_eq!(page.problems(), Vec::<String>::new());
}
