//! The figure: stage, controls and caption, the same markup on the prerendered page and in the browser.

use super::figure::Figure;
use super::pane::Pane;
use crate::scene::Layout;
use crate::trace::{Event, PlayState, Speed};
use leptos::prelude::*;
use std::rc::Rc;
use std::sync::Arc;

/// What the figure shows at the moment; the machine in `trace::player` decides, these follow.
#[derive(Clone, Copy)]
pub struct Shown {
    /// The reader's step, from 1; its sentence is shown by `view::sentences` in the same frame.
    pub step: RwSignal<usize>,
    /// The step that number, range and spoken caption tell: the reader's, one frame later.
    pub told: RwSignal<usize>,
    /// Paused, playing or ended.
    pub state: RwSignal<PlayState>,
    /// How fast steps move.
    pub speed: RwSignal<Speed>,
    /// Whether steps move at all.
    pub still: RwSignal<bool>,
    /// Which view of the run is shown.
    pub pane: RwSignal<Pane>,
    /// The layout that the container's width asks for.
    pub layout: RwSignal<Layout>,
    /// Whether the caption is read out: not while steps follow each other faster than one in three seconds.
    pub polite: RwSignal<bool>,
}

impl Shown {
    /// A figure at rest on its first step.
    pub fn new() -> Self {
        Self {
            step: RwSignal::new(1),
            told: RwSignal::new(1),
            state: RwSignal::new(PlayState::Paused),
            speed: RwSignal::new(Speed::Normal),
            still: RwSignal::new(false),
            pane: RwSignal::new(Pane::Map),
            layout: RwSignal::new(Layout::Wide),
            polite: RwSignal::new(true),
        }
    }
}

/// What a control asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    /// Something for the player.
    Player(Event),
    /// Another speed.
    Speed(Speed),
    /// Motion off (`true`) or on.
    Still(bool),
    /// The address of this step, into the clipboard.
    CopyLink,
    /// The figure alone on the whole screen, or back.
    FullScreen,
}

/// The figure of a diagram. `ask` receives what the reader wants.
#[component]
pub fn Player(props: Figure, shown: Shown, ask: Rc<dyn Fn(Ask)>) -> impl IntoView {
    let steps = props.steps.len();
    let Shown { step, told, state, speed, still, pane, layout, polite } = shown;
    let (views, panes) = (props.views.clone(), props.panes.clone());
    let sentences = sentences(&props);
    let said: Arc<[String]> = props.steps.iter().map(|s| s.text.clone()).collect();
    let text_of = move |n: usize| said.get(n.saturating_sub(1)).cloned().unwrap_or_default();
    let value_text = {
        let text_of = text_of.clone();
        move || {
            let n = step.get();
            format!("Step {n} of {steps}: {}", text_of(n))
        }
    };
    let caption = move || text_of(told.get());
    let playing = move || state.get() == PlayState::Playing;
    let player = |event: Event| {
        let ask = ask.clone();
        move |_| ask(Ask::Player(event))
    };
    let stage_label = format!("{}: the stage. Arrow keys step, space plays.", props.title);
    let [ask_range, ask_space, ask_speed, ask_still, ask_copy, ask_full] =
        std::array::from_fn(|_| ask.clone());
    let ticks = format!("ticks-{}", props.slug);
    view! {
        <figure
            class="player"
            data-diagram=props.slug.clone()
            data-steps=steps.to_string()
            data-step=move || step.get().to_string()
            data-state=move || state.get().name()
            data-layout=move || layout.get().name()
            data-view=move || pane.get().name()
        >
            <div class="views" role="group" aria-label="View" inner_html=views></div>
            <div class="stage-box" tabindex="0" role="group" aria-label=stage_label data-stage="" inner_html=panes></div>
            <figcaption class="caption">
                <p class="visually-hidden" data-caption="" aria-live=move || if polite.get() { "polite" } else { "off" }>
                    {caption}
                </p>
                <div class="sentences" data-sentences="" aria-hidden="true">{sentences}</div>
            </figcaption>
            <div class="controls">
                <div class="transport">
                <button
                    type="button"
                    class="primary"
                    data-control="toggle"
                    aria-label=move || if playing() { "Pause" } else { "Play the animation" }
                    on:click=player(Event::Toggle)
                >
                    <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
                        <path d=move || if playing() { PAUSE } else { PLAY } />
                    </svg>
                    <span class="long">{move || if playing() { "Pause" } else { "Play the animation" }}</span>
                    <span class="short">{move || if playing() { "Pause" } else { "Play" }}</span>
                </button>
                <button type="button" data-control="previous" aria-label="Previous step" on:click=player(Event::Previous)>
                    <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
                        <path d=BACK />
                    </svg>
                </button>
                <button type="button" data-control="next" aria-label="Next step" on:click=player(Event::Next)>
                    <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
                        <path d=FORTH />
                    </svg>
                </button>
                <span class="track">
                    // Before its range, which is then drawn with its ticks from the start.
                    <datalist id=ticks.clone()>
                        {(1..=steps).map(|n| view! { <option value=n.to_string()></option> }).collect_view()}
                    </datalist>
                    <input
                        type="range"
                        aria-label="Step"
                        data-control="step"
                        min="1"
                        max=steps.to_string()
                        step="1"
                        value="1"
                        list=ticks
                        aria-valuetext=value_text
                        prop:value=move || told.get().to_string()
                        on:keydown=move |ev| {
                            // A range does nothing with the space bar but scroll the page.
                            if ev.key() == " " {
                                ev.prevent_default();
                                ask_space(Ask::Player(Event::Toggle));
                            }
                        }
                        on:input:target=move |ev| {
                            if let Ok(n) = ev.target().value().parse() {
                                ask_range(Ask::Player(Event::Go(n)));
                            }
                        }
                    />
                </span>
                <span class="count">{move || told.get().to_string()}" of "{steps.to_string()}<span class="long">" steps"</span></span>
                </div>
                <div class="options">
                <label class="speed">
                    <span class="visually-hidden">"Speed"</span>
                    <select
                        data-control="speed"
                        on:change:target=move |ev| ask_speed(Ask::Speed(Speed::from_name(&ev.target().value())))
                    >
                        {Speed::ALL
                            .map(|s| {
                                view! {
                                    <option value=s.name() selected=s == Speed::Normal prop:selected=move || speed.get() == s>
                                        {s.name()}
                                        "×"
                                    </option>
                                }
                            })
                            .collect_view()}
                    </select>
                </label>
                <button
                    type="button"
                    data-control="motion"
                    on:click=move |_| ask_still(Ask::Still(!still.get_untracked()))
                >
                    {move || if still.get() { "Motion: off" } else { "Motion: on" }}
                </button>
                <button
                    type="button"
                    data-control="copy-link"
                    aria-label=move || format!("Copy link to step {}", told.get())
                    on:click=move |_| ask_copy(Ask::CopyLink)
                >
                    "Copy link"
                </button>
                <button
                    type="button"
                    data-control="full-screen"
                    aria-label="Full screen"
                    on:click=move |_| ask_full(Ask::FullScreen)
                >
                    <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
                        <path d=WHOLE />
                    </svg>
                </button>
                </div>
            </div>
            <p class="figure-line" inner_html=props.line.clone()></p>
        </figure>
    }
}

/// The sentences of all steps, one over the other, with the first in sight.
fn sentences(props: &Figure) -> impl IntoView + use<> {
    let all = props.steps.iter().zip(1..);
    all.map(|(s, n)| view! { <p class=(n == 1).then_some("shown") inner_html=s.html.clone()></p> })
        .collect_view()
}

const PLAY: &str = "M4 2.5v11l9-5.5Z";
const PAUSE: &str = "M4 2.5h3v11H4Zm5 0h3v11H9Z";
const BACK: &str = "M10.5 2.5 5 8l5.5 5.5 1.2-1.2L7.4 8l4.3-4.3Z";
const FORTH: &str = "M5.5 2.5 11 8l-5.5 5.5-1.2-1.2L8.6 8 4.3 3.7Z";
const WHOLE: &str = "M2 2h5v1.6H3.6V7H2Zm7 0h5v5h-1.6V3.6H9ZM2 9h1.6v3.4H7V14H2Zm10.4 0H14v5H9v-1.6h3.4Z";
