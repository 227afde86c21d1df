#!/usr/bin/env perl
# A supplier's agent, with nothing but Perl's core modules. It accepts the terms of one project, delivers, and stays
# until the buyer has accepted the delivery.
#
#     simulate exam --command "perl test/simulator/agent.pl"
#
# It receives no webhooks: it reads the project from time to time. A request that has no answer is sent again byte for
# byte, also after a restart. After a refusal it takes the next step that the refusal names, and tells its person where
# that step is a person's. To an https address HTTP::Tiny also needs IO::Socket::SSL, which is not a core module.
use v5.36;
use Digest::SHA qw(sha256_hex);
use HTTP::Tiny;
use IO::Handle;
use JSON::PP;

use constant {
    API             => '/api/agents/v1',
    SENDS_MAX       => 5,      # sends of the same bytes without an answer
    REFUSALS_MAX    => 10,     # refusals without a command that took effect
    SECONDS_NEWS    => 900,    # between two readings while it waits for the buyer
    SECONDS_PERSON  => 300,    # between two readings while it waits for its person
};

# What to do in each state of a project. At a state that is not here the agent asks its person.
my %STEPS = (
    AWAITING_SUPPLIER => 'ACCEPT',
    LOCKED            => 'DELIVER',
    CHANGES_REQUESTED => 'DELIVER',
    AWAITING_EVIDENCE => 'DELIVER',
    SUBMITTED         => 'WAIT',
    SUPERSEDED        => 'FOLLOW',
    BUYER_CONFIRMED   => 'END',
    SUPPLIER_DECLINED => 'END',
);

# The next steps of a refusal that are an agent's own: it reads the project, and decides anew under a new request id.
my %READ_AGAIN = map { $_ => 1 } qw(REREAD_PROJECT USE_NEW_REQUEST_ID);

# The same value always has the same bytes, so its members are sorted.
my $json = JSON::PP->new->utf8->canonical;

my $task   = $json->decode($ENV{COUNTERSIGN_TASK});
my $clock  = $ENV{COUNTERSIGN_CLOCK};
my $person = $ENV{COUNTERSIGN_PERSON};

# An answer that is lost in a simulated world never arrives, so the agent waits for one only two seconds. A wait by the
# clock is answered once it is over. No redirection is followed: it could send the token to another host.
my %both           = (max_redirect => 0, keep_alive => 0, verify_SSL => 1);
my $service_client = HTTP::Tiny->new(%both, timeout => defined $clock ? 2 : 30);
my $exam_client    = HTTP::Tiny->new(%both, timeout => 600);

my $state_file = ($ENV{COUNTERSIGN_STATE} // '.') . '/state.json';
my $state      = load_state();

my $token      = current_token();
my $project_id = $task->{project};

# The digest of the agreement that its person has approved; undefined if the person has approved any.
my $approved = $task->{agreementDigest};

# True if a job of an earlier grant was not found, so that its submission may still take effect.
my $is_job_unknown = 0;
my $refusals       = 0;

work();

# --- What it does -----------------------------------------------------------------------------------------------------

sub work() {
    stop_for_person('I have no credential, and cannot connect by a code.') if !defined $token;
    finish_pending();
    look_up_job() if defined $task->{job};
    while (1) {
        my $view = read_project();
        my $step = step_in($view);
        last if $step eq 'END';
        take_step($step, $view);
    }
    note(done => $project_id);
}

sub step_in($view) { return $STEPS{ $view->{project}{state} } // 'ASK' }

# The project is read again after each step, so that each one follows from the current state.
sub take_step($step, $view) {
    my $reason = reason_to_wait($view);
    return wait_for_person(@$reason) if $reason;
    return follow_revision($view)    if $step eq 'FOLLOW';
    return accept_terms($view)       if $step eq 'ACCEPT';
    return deliver($view)            if $step eq 'DELIVER';
    return wait_for(SECONDS_NEWS)    if $step eq 'WAIT';
    stop_for_person("The project is $view->{project}{state}, and I do not know that state.", $view->{humanUrl});
}

# Why no command may be sent before a person has acted, with the link for that person; undefined if one may be sent.
sub reason_to_wait($view) {
    my ($project, $link, $step) = (@$view{qw(project humanUrl)}, step_in($view));
    return if $step !~ /^(?:ACCEPT|DELIVER|WAIT)$/;
    return ['A person has paused me.', $link] if $view->{automation}{paused};
    my $is_approved = ($approved // $project->{agreement}{digest}) eq $project->{agreement}{digest};
    return ['These are not the terms that you have approved.', $link] if $step eq 'ACCEPT' && !$is_approved;
    return if $step ne 'DELIVER';
    return ['My earlier submission may still take effect.', $link] if $is_job_unknown && !$project->{submission};
    my ($blocked) = grep { $_->{action} eq 'SUBMIT_MATERIALS' } @{ $view->{blockedActions} };
    return $blocked && [$blocked->{reason}, $blocked->{humanUrl} // $link];
}

# Tells the person once, and reads until nothing waits for a person any more.
sub wait_for_person($why, $link) {
    tell_person($why, $link);
    do { wait_for(SECONDS_PERSON) } while reason_to_wait(read_project());
}

# Revised terms are another project. The agent works on it only where a person has granted it that one too.
sub follow_revision($view) {
    my $successor = $view->{project}{successor}{projectId};
    if (!grep { $_ eq $successor } @{ read_or_stop('/me')->{projectIds} }) {
        stop_for_person('The terms were revised. Please decide whether I may work under them.', $view->{humanUrl});
    }
    # What its person has approved are the old terms.
    $approved //= $view->{project}{agreement}{digest};
    $project_id = $successor;
}

# --- What it decides --------------------------------------------------------------------------------------------------

sub accept_terms($view) {
    my $shown = $view->{project}{confirmations}{respond};
    send_command($view, 'respond', {
        action            => 'ACCEPT',
        actorId           => read_or_stop('/me')->{delegatedBy},
        actorRole         => 'SUPPLIER',
        authorityAttested => JSON::PP::true,
        reason            => 'Scope, dates and criteria are as we offered.',
        $shown ? (confirmationDigest => $shown->{digest}) : (),
    });
}

sub deliver($view) {
    my ($criteria, $submission, $review) = @{ $view->{project} }{qw(criteria submission review)};
    my $asked = $review ? " As asked for: $review->{nextAction}" : '';
    send_command($view, 'submit', {
        previousSubmissionId => $submission ? $submission->{id} : undef,
        respondsToReviewId   => $review     ? $review->{id}     : undef,
        summary              => "What was agreed.$asked",
        items                => [map { item_for($_, $asked) } @$criteria],
        is_usable($task->{requestId}) ? (requestId => $task->{requestId}) : (),
    });
}

# The files stay where they are; what is delivered is their names, sizes and digests.
sub item_for($criterion, $asked) {
    my $id    = $criterion->{id};
    my @given = grep { $_->{criterionId} eq $id } @{ $task->{files} // [] };
    my @files = map { { %$_{qw(name reference size sha256)} } } @given;
    @files = made_file("$id: $criterion->{requirement}$asked", "$id.txt") if !$task->{files};
    return { criterionId => $id, summary => $criterion->{title}, references => [], files => \@files };
}

sub made_file($content, $name) {
    utf8::encode($content);
    return { name => $name, reference => 'our archive', size => length $content, sha256 => sha256_hex($content) };
}

# Another grant does not find the job, which says nothing about its submission.
sub look_up_job() {
    my ($status, $answer) = exchange('GET', "/jobs/$task->{job}");
    return if $status < 400;
    stop_for_refusal('the job', $status, $answer) if $status != 404;
    $is_job_unknown = 1;
    my $view = read_project();
    tell_person("I do not find $task->{job}. The project is $view->{project}{state}.", $view->{humanUrl});
}

# --- Commands ---------------------------------------------------------------------------------------------------------

# Sends what was decided on this reading of the project, and after a refusal takes the next step that it names.
sub send_command($view, $name, $decision) {
    my $project = $view->{project};
    my $command = {
        expectedEventHash  => $project->{headEventHash},
        automationRevision => $view->{automation}{revision},
        input              => { agreementDigest => $project->{agreement}{digest}, %$decision },
    };
    $command->{input}{requestId} //= request_id_for($name, $command);
    my $bytes = $json->encode($command);
    my ($status, $answer) = send_saved("/projects/$project_id/$name", $bytes, $command->{input}{requestId});
    if ($status < 400) {
        $refusals = 0;
        return note(did => $name, state => $answer->{project}{state});
    }
    note(refused => $name, error => $answer->{error});
    stop_for_refusal($name, $status, $answer) if ++$refusals == REFUSALS_MAX;
    my $next = $answer->{nextAction} // '';
    return if $READ_AGAIN{$next};
    return wait_for_person($answer->{detail}, $answer->{humanUrl}) if $next eq 'WAIT_FOR_HUMAN';
    stop_for_refusal($name, $status, $answer);
}

# The request id of a decision: SHA-256 in the form of a UUID of version 4. An agent that runs again has the same one.
# It also depends on the answers so far, so that the decision after a refusal has another one.
sub request_id_for($name, $command) {
    my $hex = sha256_hex($json->encode([$project_id, $name, $command, $state->{answered}]));
    my $variant = sprintf '%x', 8 | hex(substr $hex, 16, 1) & 3;
    return $hex =~ s/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/$1-$2-4$3-$variant$4-$5/r;
}

# A request id that was answered belongs to that act.
sub is_usable($request_id) {
    return defined $request_id && !grep { $_ eq $request_id } @{ $state->{answered} };
}

# The bytes are saved before they are sent, and until they are answered.
sub send_saved($path, $bytes, $request_id) {
    save_state(pending => [$path, $bytes, $request_id]);
    my ($status, $answer) = exchange('POST', $path, $bytes);
    save_state(pending => undef, answered => [@{ $state->{answered} }, $request_id]);
    return ($status, $answer);
}

# An earlier run ended before it had an answer: the request took effect or not, and the same bytes are safe in both
# cases. Its answer may be a refusal; the project is read afterwards in any case.
sub finish_pending() {
    send_saved(@{ $state->{pending} }) if $state->{pending};
}

# --- Requests ---------------------------------------------------------------------------------------------------------

sub read_project() { return read_or_stop("/projects/$project_id") }

sub read_or_stop($path) {
    my ($status, $answer) = exchange('GET', $path);
    stop_for_refusal($path, $status, $answer) if $status >= 400;
    return $answer;
}

# Sends these bytes until they are answered by the service, and returns the status and the body of the answer.
sub exchange($method, $path, $bytes = undef) {
    for my $sends (1 .. SENDS_MAX) {
        my ($status, $headers, $answer) = send_once($method, $path, $bytes);
        if (!defined $answer) {
            note(unanswered => $path, status => $status, sends => $sends);
            wait_for(2**$sends);
        }
        elsif (($answer->{nextAction} // '') eq 'RETRY_SAVED_REQUEST') {
            note(unavailable => $path, sends => $sends);
            wait_for($headers->{'retry-after'} // 60);
        }
        elsif ($status != 401 || !takes_renewed_token()) {
            return ($status, $answer);
        }
    }
    stop_for_person("The service does not answer $path. Please start me again later.");
}

# The answer is undefined where none arrived, and where it is not that of the service, such as a page of an edge.
sub send_once($method, $path, $bytes) {
    my %options = (headers => { authorization => "Bearer $token", 'content-type' => 'application/json' });
    $options{content} = $bytes if defined $bytes;
    my $response = $service_client->request($method, $ENV{COUNTERSIGN_URL} . API . $path, \%options);
    my $answer   = eval { $json->decode($response->{content}) };
    my $is_readable = ref $answer eq 'HASH' && ($response->{success} || defined $answer->{error});
    return (@$response{qw(status headers)}, $is_readable ? $answer : undef);
}

# A person may have renewed the grant. Request ids stay with the grant, so the same bytes are sent with the new token.
sub takes_renewed_token() {
    my $refused = $token;
    $token = current_token();
    return $token ne $refused;
}

# In an examination its person has the token that the agent was given last.
sub current_token() {
    return $ENV{COUNTERSIGN_TOKEN} if !defined $ENV{COUNTERSIGN_TOKEN} || !defined $person;
    return $json->decode($exam_client->get("$person/credential")->{content})->{token};
}

# --- The person and the clock -----------------------------------------------------------------------------------------

sub tell_person($text, $link = undef) {
    note(tells => $text, link => $link);
    post_to("$person/tell", { text => $text, defined $link ? (humanUrl => $link) : () }) if defined $person;
}

# A refusal whose next step is not the agent's: the person gets its words, and what is wrong with the request.
sub stop_for_refusal($what, $status, $answer) {
    my $issues = join '', map { " $_->{path}: $_->{message}." } @{ $answer->{issues} // [] };
    my $detail = $answer->{detail} // '';
    stop_for_person("$what was refused with $status $answer->{error}. $detail$issues", $answer->{humanUrl});
}

sub stop_for_person($text, $link = undef) {
    tell_person($text, $link);
    exit 1;
}

# In a simulated world time moves while the agent waits; in another one it waits by the clock of its machine.
sub wait_for($seconds) {
    return sleep $seconds if !defined $clock;
    post_to("$clock/wait", { for => "${seconds}s" });
}

sub post_to($url, $body) {
    my %options = (headers => { 'content-type' => 'application/json' }, content => $json->encode($body));
    my $response = $exam_client->post($url, \%options);
    die "$url: $response->{status} $response->{content}" if !$response->{success};
}

sub note(%what) {
    STDOUT->autoflush;
    print $json->encode(\%what), "\n";
}

# --- What it has to know after a restart ------------------------------------------------------------------------------

sub load_state() {
    open my $file, '<:raw', $state_file or return { answered => [] };
    local $/;
    return $json->decode(<$file>);
}

# Replaces the file by a complete one, so that a crash leaves the old file or the new one, never a part.
sub save_state(%values) {
    $state = { %$state, %values };
    umask 077;
    open my $file, '>:raw', "$state_file.new" or die "$state_file.new: $!";
    print $file $json->encode($state);
    $file->flush and $file->sync and close $file or die "$state_file.new: $!";
    rename "$state_file.new", $state_file or die "$state_file: $!";
}
